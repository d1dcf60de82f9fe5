CREATE TABLE "agent_splits" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"version_id" text NOT NULL,
	"percent" integer NOT NULL,
	"steps" jsonb NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "day_figures" DROP CONSTRAINT "day_figures_workspace_id_starts_at_agent_id_prompt_id_pk";--> statement-breakpoint
ALTER TABLE "day_figures" ADD COLUMN "agent_version_id" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "day_figures" ADD COLUMN "durations" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "day_figures" ADD COLUMN "results" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "day_figures" ADD CONSTRAINT "day_figures_of_versions" PRIMARY KEY("workspace_id","starts_at","agent_id","prompt_id","agent_version_id");--> statement-breakpoint
ALTER TABLE "agent_versions" ADD COLUMN "is_share_only" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "agent_splits" ADD CONSTRAINT "agent_splits_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_splits" ADD CONSTRAINT "agent_splits_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_splits" ADD CONSTRAINT "agent_splits_version_id_agent_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."agent_versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "agent_splits_running" ON "agent_splits" USING btree ("agent_id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "agent_splits_agent" ON "agent_splits" USING btree ("workspace_id","agent_id","started_at");--> statement-breakpoint
-- What was left behind by agents that were deleted while they had one.
DELETE FROM "agent_drafts" USING "agents" WHERE "agents"."id" = "agent_drafts"."agent_id" AND "agents"."deleted_at" IS NOT NULL;