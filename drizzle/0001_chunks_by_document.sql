-- Chunks are kept by document and number, with codes beside the vectors and terms in blocks: none of it can be made from
-- the old rows in SQL, so documents that were indexed are processed again, from the dashboard.
DROP TABLE "chunk_vectors" CASCADE;--> statement-breakpoint
DROP TABLE "chunks" CASCADE;--> statement-breakpoint
CREATE TABLE "chunk_vectors" (
	"document_id" text NOT NULL,
	"model" text NOT NULL,
	"seq" integer NOT NULL,
	"embedding" halfvec(3072) NOT NULL,
	"sign_bits" bit(3072) NOT NULL,
	"magnitude_bits" bit(3072) NOT NULL,
	CONSTRAINT "chunk_vectors_document_id_model_seq_pk" PRIMARY KEY("document_id","model","seq")
);
--> statement-breakpoint
CREATE TABLE "chunks" (
	"document_id" text NOT NULL,
	"seq" integer NOT NULL,
	"text" text NOT NULL,
	"source" jsonb NOT NULL,
	CONSTRAINT "chunks_document_id_seq_pk" PRIMARY KEY("document_id","seq")
);
--> statement-breakpoint
CREATE TABLE "term_blocks" (
	"document_id" text NOT NULL,
	"part" integer NOT NULL,
	"low" integer NOT NULL,
	"high" integer NOT NULL,
	"postings" "bytea" NOT NULL,
	CONSTRAINT "term_blocks_document_id_part_pk" PRIMARY KEY("document_id","part")
);
--> statement-breakpoint
UPDATE "documents" SET "status" = 'FAILED', "chunk_count" = NULL, "text_length" = NULL, "processed_at" = NULL,
	"error_message" = 'This version of the service indexes documents in another way. Process this one again.'
	WHERE "status" = 'COMPLETED';
