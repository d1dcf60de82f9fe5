ALTER TABLE "call_reviews" ADD COLUMN "outbound_prompt_id" text;--> statement-breakpoint
ALTER TABLE "call_reviews" ADD COLUMN "agent_version_id" text;--> statement-breakpoint
ALTER TABLE "call_reviews" ADD COLUMN "campaign_id" text;--> statement-breakpoint
-- Before the insert, so that what a process of the release before writes has them too.
CREATE FUNCTION write_call_review() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  select outbound_prompt_id, agent_version_id, campaign_id
    into new.outbound_prompt_id, new.agent_version_id, new.campaign_id
    from public.calls where id = new.call_id;
  return new;
end $$;
--> statement-breakpoint
CREATE TRIGGER call_reviews_write BEFORE INSERT ON call_reviews
  FOR EACH ROW EXECUTE FUNCTION write_call_review();
--> statement-breakpoint
-- Built anew behind the update, which would leave it twice as large.
DROP INDEX "call_reviews_done";--> statement-breakpoint
UPDATE call_reviews SET outbound_prompt_id = calls.outbound_prompt_id, agent_version_id = calls.agent_version_id, campaign_id = calls.campaign_id
  FROM calls WHERE calls.id = call_id;
--> statement-breakpoint
CREATE INDEX "call_reviews_done" ON "call_reviews" USING btree ("workspace_id","date_initiated","call_id","agent_id","facet") WHERE reviewed_at is not null;--> statement-breakpoint
CREATE INDEX "call_reviews_prompt" ON "call_reviews" USING btree ("workspace_id","outbound_prompt_id","date_initiated","call_id","agent_id","facet") WHERE reviewed_at is not null and outbound_prompt_id is not null;--> statement-breakpoint
CREATE INDEX "call_reviews_version" ON "call_reviews" USING btree ("workspace_id","agent_version_id","date_initiated","call_id","agent_id","facet") WHERE reviewed_at is not null and agent_version_id is not null;--> statement-breakpoint
CREATE INDEX "call_reviews_campaign" ON "call_reviews" USING btree ("workspace_id","campaign_id","date_initiated","call_id","agent_id","facet") WHERE reviewed_at is not null and campaign_id is not null;