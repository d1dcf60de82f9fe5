-- The codes of vectors get a table of their own, so that a pass over them reads no vectors.
CREATE TABLE "chunk_codes" (
	"document_id" text NOT NULL,
	"model" text NOT NULL,
	"seq" integer NOT NULL,
	"sign_bits" bit(3072) NOT NULL,
	"magnitude_bits" bit(3072) NOT NULL,
	CONSTRAINT "chunk_codes_document_id_model_seq_pk" PRIMARY KEY("document_id","model","seq")
);
--> statement-breakpoint
INSERT INTO "chunk_codes" SELECT "document_id", "model", "seq", "sign_bits", "magnitude_bits" FROM "chunk_vectors";--> statement-breakpoint
ALTER TABLE "chunk_vectors" DROP COLUMN "sign_bits";--> statement-breakpoint
ALTER TABLE "chunk_vectors" DROP COLUMN "magnitude_bits";