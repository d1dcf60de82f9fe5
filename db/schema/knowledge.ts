import { customType, halfvec, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { agents } from './agents.ts';
import { createdAt, dateTime, updatedAt } from './columns.ts';
import { workspaces } from './workspaces.ts';

export const EMBEDDING_DIMENSIONS = 3072;
export const DOCUMENT_STATUSES = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'] as const;
export const FILE_TYPES = ['PDF', 'DOCX', 'TXT', 'MD', 'CSV', 'JSON'] as const;

const bits = customType<{ data: string; config: { dimensions: number } }>({
  dataType: (config) => `bit(${config?.dimensions ?? EMBEDDING_DIMENSIONS})`,
});
const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });

export const knowledgeBases = pgTable(
  'knowledge_bases',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    name: text('name').notNull(),
    description: text('description').notNull(),
    /** The collection's model: queries are embedded with it, vectors of another model are not looked at. */
    embeddingModel: text('embedding_model').notNull(),
    /** Set while the chunks are embedded anew in the background; the vectors of `embeddingModel` answer meanwhile. */
    targetModel: text('target_model'),
    reembedError: text('reembed_error'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('knowledge_bases_workspace').on(table.workspaceId, table.createdAt)],
);

export const agentKnowledgeBases = pgTable(
  'agent_knowledge_bases',
  {
    agentId: text('agent_id')
      .notNull()
      .references(() => agents.id, { onDelete: 'cascade' }),
    knowledgeBaseId: text('knowledge_base_id')
      .notNull()
      .references(() => knowledgeBases.id, { onDelete: 'cascade' }),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
  },
  (table) => [
    primaryKey({ columns: [table.agentId, table.knowledgeBaseId] }),
    index('agent_knowledge_bases_base').on(table.knowledgeBaseId),
  ],
);

export const documents = pgTable(
  'documents',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    knowledgeBaseId: text('knowledge_base_id')
      .notNull()
      .references(() => knowledgeBases.id, { onDelete: 'cascade' }),
    filename: text('filename').notNull(),
    originalName: text('original_name').notNull(),
    fileType: text('file_type', { enum: FILE_TYPES }).notNull(),
    fileSize: integer('file_size').notNull(),
    storageKey: text('storage_key').notNull(),
    status: text('status', { enum: DOCUMENT_STATUSES }).notNull(),
    chunkCount: integer('chunk_count'),
    /** UTF-16 units of extracted text. */
    textLength: integer('text_length'),
    errorMessage: text('error_message'),
    /** Who works on it and until when; a lapsed lease is swept to FAILED. */
    leaseToken: text('lease_token'),
    leaseUntil: dateTime('lease_until'),
    createdAt: createdAt(),
    processedAt: dateTime('processed_at'),
  },
  (table) => [
    index('documents_base').on(table.knowledgeBaseId, table.createdAt),
    index('documents_open').on(table.status, table.leaseUntil),
  ],
);

/** Where a chunk came from, shown beside a search result. `start..end` count UTF-16 units of the extracted text. */
export type ChunkSource = {
  headings?: string[];
  page?: number;
  rows?: [number, number];
  jsonPath?: string;
  /** Characters at the front of the chunk that repeat a table's header or the headings above; not part of `start..end`. */
  prefixLength?: number;
  start: number;
  end: number;
};

/**
 * The text of completed documents, and of those in progress. Whose a chunk is stands in its document alone, and so does
 * whether it may be seen; there is no foreign key, because deleting 27,000 chunks with their document would be one
 * transaction of seconds: the document goes at once, its chunks in batches, and the sweep finds what a crash left.
 */
export const chunks = pgTable(
  'chunks',
  {
    documentId: text('document_id').notNull(),
    seq: integer('seq').notNull(),
    text: text('text').notNull(),
    source: jsonb('source').$type<ChunkSource>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.documentId, table.seq] })],
);

/** One vector per chunk and model, written and removed together with its code. */
export const chunkVectors = pgTable(
  'chunk_vectors',
  {
    documentId: text('document_id').notNull(),
    model: text('model').notNull(),
    seq: integer('seq').notNull(),
    embedding: halfvec('embedding', { dimensions: EMBEDDING_DIMENSIONS }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.documentId, table.model, table.seq] })],
);

/**
 * The code of each vector, two bits per dimension (`embedding/vector-codes.ts`). In a table of its own: a search passes over
 * all codes and looks at few vectors, each of which fills a page.
 */
export const chunkCodes = pgTable(
  'chunk_codes',
  {
    documentId: text('document_id').notNull(),
    model: text('model').notNull(),
    seq: integer('seq').notNull(),
    signBits: bits('sign_bits', { dimensions: EMBEDDING_DIMENSIONS }).notNull(),
    magnitudeBits: bits('magnitude_bits', { dimensions: EMBEDDING_DIMENSIONS }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.documentId, table.model, table.seq] })],
);

/**
 * Which chunks of a document hold a term, in blocks of `lib/text/postings.ts`. PostgreSQL's own index of a `tsvector`
 * took 0.6 ms for a chunk's 250 terms in the embedded database, two thirds of an upload; blocks take a twentieth.
 */
export const termBlocks = pgTable(
  'term_blocks',
  {
    documentId: text('document_id').notNull(),
    part: integer('part').notNull(),
    /** The least and the greatest hash in the block. */
    low: integer('low').notNull(),
    high: integer('high').notNull(),
    postings: bytea('postings').notNull(),
  },
  (table) => [primaryKey({ columns: [table.documentId, table.part] })],
);
