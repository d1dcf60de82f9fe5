CREATE TABLE "carrier_states" (
	"carrier" text NOT NULL,
	"owner" text NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"since" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "carrier_states_carrier_owner_pk" PRIMARY KEY("carrier","owner")
);
--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "line_trace" jsonb;