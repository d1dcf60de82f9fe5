CREATE TABLE "provisioned_items" (
	"workspace_id" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"target_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "provisioned_items_workspace_id_kind_name_pk" PRIMARY KEY("workspace_id","kind","name")
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "home_workspace_id" text;--> statement-breakpoint
ALTER TABLE "audit_events" ADD COLUMN "repeat_key" text;--> statement-breakpoint
ALTER TABLE "members" ADD COLUMN "last_seen_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "provisioned_items" ADD CONSTRAINT "provisioned_items_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "audit_events_repeat" ON "audit_events" USING btree ("workspace_id","repeat_key");--> statement-breakpoint
-- The accounts that exist belong to the workspace they were made for: the first one they joined.
UPDATE "users" SET "home_workspace_id" = (SELECT "workspace_id" FROM "members" WHERE "members"."user_id" = "users"."id" ORDER BY "members"."created_at", "members"."workspace_id" LIMIT 1);--> statement-breakpoint
-- What people removed before this table was there: a provision file must not bring it back.
INSERT INTO "provisioned_items" ("workspace_id", "kind", "name", "target_id", "created_at")
SELECT "workspace_id",
  CASE "action" WHEN 'member.removed' THEN 'member' WHEN 'tag.deleted' THEN 'tag' WHEN 'number.deleted' THEN 'number' ELSE 'knowledge_base' END,
  COALESCE(CASE "action" WHEN 'member.removed' THEN "data"->>'email' WHEN 'number.deleted' THEN "data"->>'number' END, "target_id"),
  "target_id", "at"
FROM "audit_events" WHERE "action" IN ('member.removed', 'tag.deleted', 'number.deleted', 'knowledge_base.deleted')
ON CONFLICT DO NOTHING;
