CREATE TABLE "call_tags" (
	"call_id" text NOT NULL,
	"tag" text NOT NULL,
	"workspace_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"facet" text NOT NULL,
	"date_initiated" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "call_tags_call_id_tag_pk" PRIMARY KEY("call_id","tag")
);
--> statement-breakpoint
DROP INDEX "calls_list";--> statement-breakpoint
DROP INDEX "calls_agent";--> statement-breakpoint
ALTER TABLE "call_tags" ADD CONSTRAINT "call_tags_call_id_calls_id_fk" FOREIGN KEY ("call_id") REFERENCES "public"."calls"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "call_tags_list" ON "call_tags" USING btree ("workspace_id","tag","date_initiated","call_id","agent_id","facet");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "calls_ended" ON "calls" USING btree ("workspace_id","date_initiated","id","agent_id","is_test","channel","direction","sentiment","disposition") WHERE status = 'ended';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "calls_ended_facet" ON "calls" USING btree ("workspace_id",call_facet("is_test", "channel", "direction", "sentiment", "disposition"),"date_initiated","id") WHERE status = 'ended';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "calls_ended_agent" ON "calls" USING btree ("workspace_id","agent_id",call_facet("is_test", "channel", "direction", "sentiment", "disposition"),"date_initiated","id") WHERE status = 'ended';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "calls_open" ON "calls" USING btree ("workspace_id","date_initiated","id") WHERE status <> 'ended';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "calls_words" ON "calls" USING gin (call_words(transcript, summary, tags, human_phone_number, agent_phone_number) gin_trgm_ops) WITH (fastupdate=false) WHERE status = 'ended';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "calls_names" ON "calls" USING gin (call_names(variables, human_phone_number) gin_trgm_ops) WITH (fastupdate=false) WHERE status = 'ended';