CREATE TABLE "agent_versions" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"number" integer,
	"content" jsonb NOT NULL,
	"changes" jsonb NOT NULL,
	"restored_number" integer,
	"author_kind" text NOT NULL,
	"author_id" text,
	"author_label" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "version_id" text;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "agent_version_id" text;--> statement-breakpoint
ALTER TABLE "web_calls" ADD COLUMN "agent_version_id" text;--> statement-breakpoint
ALTER TABLE "agent_versions" ADD CONSTRAINT "agent_versions_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_versions" ADD CONSTRAINT "agent_versions_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "agent_versions_number" ON "agent_versions" USING btree ("agent_id","number") WHERE number is not null;--> statement-breakpoint
CREATE INDEX "agent_versions_workspace" ON "agent_versions" USING btree ("workspace_id");