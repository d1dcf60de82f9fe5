CREATE TABLE "carrier_pacing" (
	"carrier" text PRIMARY KEY NOT NULL,
	"next_dial_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "calls_open";--> statement-breakpoint
DROP INDEX "calls_number_open";--> statement-breakpoint
CREATE INDEX "calls_waiting" ON "calls" USING btree ("workspace_id",coalesce("phone_number_id", ''),"carrier","created_at","id") WHERE status = 'queued' and lease_owner is null;--> statement-breakpoint
CREATE INDEX "calls_number" ON "calls" USING btree ("phone_number_id");--> statement-breakpoint
CREATE INDEX "calls_leased" ON "calls" USING btree ("workspace_id","phone_number_id") WHERE lease_owner is not null;