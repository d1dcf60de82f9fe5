CREATE TABLE "scenarios" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"name" text NOT NULL,
	"content" jsonb NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "simulation_results" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"simulation_id" text NOT NULL,
	"scenario_id" text NOT NULL,
	"scenario_name" text NOT NULL,
	"content" jsonb NOT NULL,
	"position" integer NOT NULL,
	"status" text NOT NULL,
	"outcome" text,
	"reason" text,
	"report" jsonb,
	"lease_owner" text,
	"lease_expires_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "simulations" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"status" text NOT NULL,
	"mode" text NOT NULL,
	"agent_version_id" text NOT NULL,
	"version_number" integer,
	"started_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "scenarios" ADD CONSTRAINT "scenarios_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scenarios" ADD CONSTRAINT "scenarios_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "simulation_results" ADD CONSTRAINT "simulation_results_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "simulation_results" ADD CONSTRAINT "simulation_results_simulation_id_simulations_id_fk" FOREIGN KEY ("simulation_id") REFERENCES "public"."simulations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "simulations" ADD CONSTRAINT "simulations_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "simulations" ADD CONSTRAINT "simulations_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "scenarios_agent" ON "scenarios" USING btree ("agent_id","created_at","id");--> statement-breakpoint
CREATE INDEX "simulation_results_simulation" ON "simulation_results" USING btree ("simulation_id","position");--> statement-breakpoint
CREATE INDEX "simulation_results_scenario" ON "simulation_results" USING btree ("scenario_id","created_at");--> statement-breakpoint
CREATE INDEX "simulation_results_open" ON "simulation_results" USING btree ("position","created_at") WHERE status <> 'ended';--> statement-breakpoint
CREATE INDEX "simulations_agent" ON "simulations" USING btree ("agent_id","created_at","id");--> statement-breakpoint
CREATE INDEX "simulations_running" ON "simulations" USING btree ("status") WHERE status = 'running';