DROP INDEX "calls_waiting";--> statement-breakpoint
DROP INDEX "calls_number";--> statement-breakpoint
ALTER TABLE "outbound_prompts" ADD COLUMN "retry" jsonb DEFAULT '{"isOn":false,"attempts":3,"delayMinutes":60,"on":["busy","no_answer"]}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "not_before" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "not_before_zone" text;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "retry_of" text;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "attempt" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "attempts_planned" integer;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "calling_hours" jsonb DEFAULT '{"isOn":false,"days":["mon","tue","wed","thu","fri"],"from":"09:00","to":"18:00"}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "has_recording_announcement" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "recording_announcement" text;--> statement-breakpoint
CREATE UNIQUE INDEX "calls_attempts" ON "calls" USING btree ("retry_of","attempt") WHERE retry_of is not null;--> statement-breakpoint
CREATE INDEX "calls_waiting" ON "calls" USING btree ("workspace_id",coalesce("phone_number_id", ''),"carrier",coalesce("not_before", "created_at"),"created_at","id") WHERE status = 'queued' and lease_owner is null;--> statement-breakpoint
CREATE INDEX "calls_number" ON "calls" USING btree ("phone_number_id","direction","created_at");