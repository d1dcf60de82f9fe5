import { customType, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { halfvec } from 'drizzle-orm/pg-core';
import { sql } from 'drizzle-orm';
import { agents } from './agents.ts';
import { createdAt, moment, updatedAt } from './columns.ts';
import { workspaces } from './workspaces.ts';

export const EMBEDDING_DIMENSIONS = 3072;
export const DOCUMENT_STATUSES = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'] as const;
export const FILE_TYPES = ['PDF', 'DOCX', 'TXT', 'MD', 'CSV', 'JSON'] as const;

const bits = customType<{ data: string; config: { dimensions: number } }>({
  dataType: (config) => `bit(${config?.dimensions ?? EMBEDDING_DIMENSIONS})`,
});
const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

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
    leaseUntil: moment('lease_until'),
    createdAt: createdAt(),
    processedAt: moment('processed_at'),
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
  /** Characters at the front of the chunk that repeat a table's header; they are not part of `start..end`. */
  prefixLength?: number;
  start: number;
  end: number;
};

export const chunks = pgTable(
  'chunks',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    knowledgeBaseId: text('knowledge_base_id')
      .notNull()
      .references(() => knowledgeBases.id, { onDelete: 'cascade' }),
    documentId: text('document_id')
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    seq: integer('seq').notNull(),
    text: text('text').notNull(),
    source: jsonb('source').$type<ChunkSource>().notNull(),
    /** The terms of `lib/text/terms.ts`, without positions: PostgreSQL's own parsers know no language without spaces. */
    words: tsvector('words').notNull(),
  },
  (table) => [
    index('chunks_base').on(table.knowledgeBaseId),
    index('chunks_document').on(table.documentId, table.seq),
    // Between two evils: with the default of 4 MB one insert in 1,500 waits 170 ms for the list to be emptied, with 128 kB
    // all inserts together cost half as much again.
    index('chunks_words').using('gin', table.words).with({ gin_pending_list_limit: 512 }),
  ],
);

/** One vector per chunk and model; apart from the text, so that a pass over the bits reads little. */
export const chunkVectors = pgTable(
  'chunk_vectors',
  {
    chunkId: text('chunk_id').notNull(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    knowledgeBaseId: text('knowledge_base_id')
      .notNull()
      .references(() => knowledgeBases.id, { onDelete: 'cascade' }),
    documentId: text('document_id')
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    model: text('model').notNull(),
    embedding: halfvec('embedding', { dimensions: EMBEDDING_DIMENSIONS }).notNull(),
    bits: bits('bits', { dimensions: EMBEDDING_DIMENSIONS }).generatedAlwaysAs(
      sql`binary_quantize(embedding)::bit(3072)`,
    ),
  },
  (table) => [
    primaryKey({ columns: [table.chunkId, table.model] }),
    index('chunk_vectors_base').on(table.knowledgeBaseId, table.model),
    index('chunk_vectors_document').on(table.documentId),
  ],
);
