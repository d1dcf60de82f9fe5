CREATE TABLE "opt_outs" (
	"workspace_id" text NOT NULL,
	"number" text NOT NULL,
	"source" text NOT NULL,
	"added_by" text NOT NULL,
	"call_id" text,
	"note" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "opt_outs_workspace_id_number_pk" PRIMARY KEY("workspace_id","number")
);
--> statement-breakpoint
ALTER TABLE "opt_outs" ADD CONSTRAINT "opt_outs_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "opt_outs_latest" ON "opt_outs" USING btree ("workspace_id","created_at","number");