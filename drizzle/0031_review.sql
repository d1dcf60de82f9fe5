CREATE TABLE "call_ratings" (
	"call_id" text NOT NULL,
	"author_id" text NOT NULL,
	"workspace_id" text NOT NULL,
	"author" text NOT NULL,
	"stars" integer NOT NULL,
	"sentence" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "call_ratings_call_id_author_id_pk" PRIMARY KEY("call_id","author_id")
);
--> statement-breakpoint
CREATE TABLE "call_reviews" (
	"call_id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"facet" text NOT NULL,
	"date_initiated" timestamp (3) with time zone NOT NULL,
	"assignee_id" text,
	"assignee" text,
	"reviewed_at" timestamp (3) with time zone,
	"reviewer_id" text,
	"reviewer" text
);
--> statement-breakpoint
CREATE TABLE "call_tag_edits" (
	"call_id" text NOT NULL,
	"tag" text NOT NULL,
	"workspace_id" text NOT NULL,
	"kind" text NOT NULL,
	"author_id" text NOT NULL,
	"author" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "call_tag_edits_call_id_tag_pk" PRIMARY KEY("call_id","tag")
);
--> statement-breakpoint
CREATE TABLE "saved_views" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" text NOT NULL,
	"owner_id" text NOT NULL,
	"owner" text NOT NULL,
	"name" text NOT NULL,
	"is_shared" boolean DEFAULT false NOT NULL,
	"query" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "call_ratings" ADD CONSTRAINT "call_ratings_call_id_calls_id_fk" FOREIGN KEY ("call_id") REFERENCES "public"."calls"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "call_ratings" ADD CONSTRAINT "call_ratings_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "call_reviews" ADD CONSTRAINT "call_reviews_call_id_calls_id_fk" FOREIGN KEY ("call_id") REFERENCES "public"."calls"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "call_reviews" ADD CONSTRAINT "call_reviews_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "call_tag_edits" ADD CONSTRAINT "call_tag_edits_call_id_calls_id_fk" FOREIGN KEY ("call_id") REFERENCES "public"."calls"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "call_tag_edits" ADD CONSTRAINT "call_tag_edits_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "call_reviews_done" ON "call_reviews" USING btree ("workspace_id","date_initiated","call_id","agent_id","facet") WHERE reviewed_at is not null;--> statement-breakpoint
CREATE INDEX "call_reviews_assignee" ON "call_reviews" USING btree ("workspace_id","assignee_id","date_initiated","call_id","agent_id","facet") WHERE assignee_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "saved_views_name" ON "saved_views" USING btree ("workspace_id","owner_id","name");