CREATE TABLE "call_watches" (
	"call_id" text NOT NULL,
	"workspace_id" text NOT NULL,
	"process" text NOT NULL,
	"has_sound" boolean NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "call_watches_call_id_process_pk" PRIMARY KEY("call_id","process")
);
--> statement-breakpoint
ALTER TABLE "call_watches" ADD CONSTRAINT "call_watches_call_id_calls_id_fk" FOREIGN KEY ("call_id") REFERENCES "public"."calls"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "call_watches" ADD CONSTRAINT "call_watches_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;