CREATE TABLE "call_results" (
	"call_id" text NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"workspace_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"facet" text NOT NULL,
	"date_initiated" timestamp (3) with time zone NOT NULL,
	"number" double precision,
	"word" text,
	CONSTRAINT "call_results_call_id_name_pk" PRIMARY KEY("call_id","name")
);
--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "result_fields" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "results" jsonb;--> statement-breakpoint
ALTER TABLE "call_results" ADD CONSTRAINT "call_results_call_id_calls_id_fk" FOREIGN KEY ("call_id") REFERENCES "public"."calls"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "call_results_list" ON "call_results" USING btree ("workspace_id","name","type","date_initiated","call_id","agent_id","number","word","facet");--> statement-breakpoint
CREATE INDEX "call_results_value" ON "call_results" USING btree ("workspace_id","agent_id","name","type","word","number","date_initiated","call_id","facet");