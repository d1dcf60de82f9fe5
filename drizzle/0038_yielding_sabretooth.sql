ALTER TABLE "scenarios" ADD COLUMN "source_call_id" text;--> statement-breakpoint
ALTER TABLE "simulation_results" ADD COLUMN "source_call_id" text;--> statement-breakpoint
CREATE INDEX "scenarios_source" ON "scenarios" USING btree ("source_call_id") WHERE source_call_id is not null;--> statement-breakpoint
CREATE INDEX "simulation_results_source" ON "simulation_results" USING btree ("source_call_id") WHERE source_call_id is not null;