CREATE TABLE "transfer_attempts" (
	"id" text PRIMARY KEY NOT NULL,
	"call_id" text NOT NULL,
	"workspace_id" text NOT NULL,
	"carrier" text NOT NULL,
	"reference" text NOT NULL,
	"number" text NOT NULL,
	"committed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "transfer_attempts_reference_unique" UNIQUE("reference")
);
--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "transfer_mode" text DEFAULT 'cold' NOT NULL;--> statement-breakpoint
ALTER TABLE "transfer_attempts" ADD CONSTRAINT "transfer_attempts_call_id_calls_id_fk" FOREIGN KEY ("call_id") REFERENCES "public"."calls"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_attempts" ADD CONSTRAINT "transfer_attempts_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "transfer_attempts_call" ON "transfer_attempts" USING btree ("call_id");