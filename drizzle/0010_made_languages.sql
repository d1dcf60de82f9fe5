CREATE TABLE "made_languages" (
	"code" text PRIMARY KEY NOT NULL,
	"lines" jsonb NOT NULL,
	"model" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
