CREATE TABLE "day_figures" (
	"workspace_id" text NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"agent_id" text NOT NULL,
	"prompt_id" text NOT NULL,
	"chats" integer NOT NULL,
	"cost" double precision NOT NULL,
	"calls" integer NOT NULL,
	"outbound" integer NOT NULL,
	"reached" integer NOT NULL,
	"seconds" double precision NOT NULL,
	"outcomes" integer[] NOT NULL,
	"sentiments" integer[] NOT NULL,
	"answer_times" integer[] NOT NULL,
	"tags" jsonb NOT NULL,
	CONSTRAINT "day_figures_workspace_id_starts_at_agent_id_prompt_id_pk" PRIMARY KEY("workspace_id","starts_at","agent_id","prompt_id")
);
--> statement-breakpoint
CREATE TABLE "figure_changes" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"date_initiated" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "figure_days" (
	"workspace_id" text NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "figure_days_workspace_id_starts_at_pk" PRIMARY KEY("workspace_id","starts_at")
);
--> statement-breakpoint
ALTER TABLE "day_figures" ADD CONSTRAINT "day_figures_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "figure_days" ADD CONSTRAINT "figure_days_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "figure_changes_day" ON "figure_changes" USING btree ("workspace_id","date_initiated");
