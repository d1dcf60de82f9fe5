CREATE TABLE "call_shares" (
	"id" text PRIMARY KEY NOT NULL,
	"call_id" text NOT NULL,
	"workspace_id" text NOT NULL,
	"author_id" text NOT NULL,
	"author" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"last_opened_at" timestamp (3) with time zone,
	"opened_count" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "deleted_calls" (
	"call_id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"what" text NOT NULL,
	"deleted_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "call_attempts" DROP CONSTRAINT "call_attempts_call_id_calls_id_fk";
--> statement-breakpoint
ALTER TABLE "transfer_attempts" DROP CONSTRAINT "transfer_attempts_call_id_calls_id_fk";
--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "conversation_retention_days" integer;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "recording_retention_days" integer;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "recordings_deleted_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "call_shares" ADD CONSTRAINT "call_shares_call_id_calls_id_fk" FOREIGN KEY ("call_id") REFERENCES "public"."calls"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "call_shares" ADD CONSTRAINT "call_shares_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deleted_calls" ADD CONSTRAINT "deleted_calls_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "call_shares_call" ON "call_shares" USING btree ("call_id","created_at");--> statement-breakpoint
CREATE INDEX "deleted_calls_due" ON "deleted_calls" USING btree ("due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "call_orders_call" ON "call_orders" USING btree ("call_id");--> statement-breakpoint
CREATE INDEX "audit_events_of_calls" ON "audit_events" USING btree ("target_id") WHERE action in ('call.placed', 'call.tag.added', 'call.tag.removed');