CREATE TABLE "campaign_people" (
	"campaign_id" text NOT NULL,
	"line" integer NOT NULL,
	"workspace_id" text NOT NULL,
	"given_number" text NOT NULL,
	"number" text,
	"variables" jsonb NOT NULL,
	"state" text NOT NULL,
	"fault" text,
	"fault_column" text,
	"due_at" timestamp (3) with time zone NOT NULL,
	"call_id" text,
	"placed_at" timestamp (3) with time zone,
	CONSTRAINT "campaign_people_campaign_id_line_pk" PRIMARY KEY("campaign_id","line")
);
--> statement-breakpoint
CREATE TABLE "campaigns" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"name" text NOT NULL,
	"state" text NOT NULL,
	"from_number" text NOT NULL,
	"agent_id" text NOT NULL,
	"outbound_prompt_id" text NOT NULL,
	"calls_per_minute" integer NOT NULL,
	"start_at" timestamp (3) with time zone,
	"calling_hours" jsonb,
	"columns" jsonb,
	"variable_names" text[] DEFAULT '{}' NOT NULL,
	"people_count" integer DEFAULT 0 NOT NULL,
	"callable_count" integer DEFAULT 0 NOT NULL,
	"placed_count" integer DEFAULT 0 NOT NULL,
	"refused_count" integer DEFAULT 0 NOT NULL,
	"pause_reason" text,
	"next_release_at" timestamp (3) with time zone,
	"checking_until" timestamp (3) with time zone,
	"idempotency_key" text,
	"request_hash" text,
	"created_by" text NOT NULL,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "campaign_id" text;--> statement-breakpoint
ALTER TABLE "campaign_people" ADD CONSTRAINT "campaign_people_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_people" ADD CONSTRAINT "campaign_people_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "campaign_people_due" ON "campaign_people" USING btree ("campaign_id","due_at","line") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "campaign_people_state" ON "campaign_people" USING btree ("campaign_id","state","line");--> statement-breakpoint
CREATE UNIQUE INDEX "campaign_people_number" ON "campaign_people" USING btree ("campaign_id","number") WHERE state in ('pending', 'placed');--> statement-breakpoint
CREATE INDEX "campaigns_list" ON "campaigns" USING btree ("workspace_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "campaigns_idempotency_key" ON "campaigns" USING btree ("workspace_id","idempotency_key");--> statement-breakpoint
CREATE INDEX "campaigns_at_work" ON "campaigns" USING btree ("state") WHERE state in ('running', 'checking');--> statement-breakpoint
ALTER TABLE "calls" ADD CONSTRAINT "calls_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "calls_campaign" ON "calls" USING btree ("campaign_id","status") WHERE campaign_id is not null;