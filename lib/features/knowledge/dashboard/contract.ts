import { z } from 'zod';
import { withBase } from '#lib/http/base.ts';
import { defineOperation, LONG_TEXT_BYTES } from '#lib/http/operation.ts';
import { enveloped, pathId, queryInteger, requiredText } from '#lib/http/schemas.ts';
import { documentSchema, knowledgeBaseSchema } from '../contract.ts';

const tag = 'Dashboard: knowledge';
const baseParams = z.object({ id: pathId });
const documentParams = z.object({ documentId: pathId });

/** Where in its document a chunk stands; only the parts that the file type knows are present. */
export const chunkSourceSchema = z.object({
  headings: z.array(z.string()).optional().describe('Path of headings, outermost first'),
  page: z.int().optional().describe('PDF page, from 1'),
  rows: z.tuple([z.int(), z.int()]).optional().describe('First and last CSV data row, from 1'),
  jsonPath: z.string().optional(),
  start: z.int().describe('First character in the extracted text'),
  end: z.int().describe('Character after the last one'),
});

export const embeddingStateSchema = z.object({
  model: z.string().describe('The model whose vectors answer now'),
  kind: z
    .enum(['lexical', 'semantic'])
    .describe('lexical: matches words, not meaning (no model server is set up)'),
  targetModel: z.string().nullable().describe('Set while the collection is being embedded anew'),
  embeddedChunks: z.int(),
  totalChunks: z.int(),
  errorMessage: z.string().nullable(),
});

export const getKnowledgeOverview = defineOperation({
  id: 'getKnowledgeOverview',
  method: 'GET',
  path: '/dashboard/knowledge/{id}',
  scope: 'member',
  role: 'viewer',
  tag,
  summary: 'A knowledge base with its counts, its agents and the state of its vectors',
  params: baseParams,
  response: enveloped(
    knowledgeBaseSchema.extend({
      documentCount: z.int(),
      chunkCount: z.int(),
      sizeBytes: z.int().describe('Sum of the stored files'),
      embedding: embeddingStateSchema,
      agents: z.array(z.object({ id: z.string(), name: z.string(), isAttached: z.boolean() })),
    }),
  ),
  status: 200,
});

export const setKnowledgeBaseAgents = defineOperation({
  id: 'setKnowledgeBaseAgents',
  method: 'PUT',
  path: '/dashboard/knowledge/{id}/agents',
  scope: 'member',
  role: 'member',
  tag,
  summary: 'Replace the set of agents that answer from this knowledge base',
  params: baseParams,
  maxBodyBytes: LONG_TEXT_BYTES,
  body: withBase(z.object({ agentIds: z.array(z.string().min(1).max(500)).max(1_000) })),
  response: enveloped(z.null()),
  status: 200,
});

export const reembedKnowledgeBase = defineOperation({
  id: 'reembedKnowledgeBase',
  method: 'POST',
  path: '/dashboard/knowledge/{id}/embedding',
  scope: 'member',
  role: 'admin',
  tag,
  summary: 'Start, or try again, embedding the collection with the model of the settings',
  params: baseParams,
  response: enveloped(embeddingStateSchema),
  status: 200,
});

export const getDocumentDetail = defineOperation({
  id: 'getDocumentDetail',
  method: 'GET',
  path: '/dashboard/knowledge/documents/{documentId}',
  scope: 'member',
  role: 'viewer',
  tag,
  summary: 'A document with the size of its extracted text',
  params: documentParams,
  response: enveloped(
    documentSchema.extend({
      knowledgeBaseName: z.string(),
      textLength: z.int().nullable().describe('Characters of extracted text; null where there is none'),
    }),
  ),
  status: 200,
});

export const getDocumentText = defineOperation({
  id: 'getDocumentText',
  method: 'GET',
  path: '/dashboard/knowledge/documents/{documentId}/text',
  scope: 'member',
  role: 'viewer',
  tag,
  summary: 'A stretch of the extracted text',
  params: documentParams,
  query: z.object({
    start: queryInteger({ min: 0, max: 1_000_000_000, default: 0 }),
    length: queryInteger({ min: 1, max: 100_000, default: 20_000 }),
  }),
  response: enveloped(z.object({ text: z.string(), start: z.int(), end: z.int(), textLength: z.int() })),
  status: 200,
});

export const listDocumentChunks = defineOperation({
  id: 'listDocumentChunks',
  method: 'GET',
  path: '/dashboard/knowledge/documents/{documentId}/chunks',
  scope: 'member',
  role: 'viewer',
  tag,
  summary: 'The chunks of a document, in order',
  params: documentParams,
  query: z.object({
    page: queryInteger({ min: 1, max: 1_000_000_000, default: 1 }),
    pageSize: queryInteger({ min: 1, max: 100, default: 25 }),
  }),
  response: enveloped(
    z.object({
      chunks: z.array(
        z.object({
          id: z.string(),
          seq: z.int(),
          text: z.string(),
          location: z.string().describe('For people: "page 3", "rows 1 to 40", "Prices > Dental"'),
          source: chunkSourceSchema,
        }),
      ),
      pageCount: z.int(),
      pageIndex: z.int(),
      pageSize: z.int(),
      totalCount: z.int(),
    }),
  ),
  status: 200,
});

export const downloadDocument = defineOperation({
  id: 'downloadDocument',
  method: 'GET',
  path: '/dashboard/knowledge/documents/{documentId}/file',
  scope: 'member',
  role: 'viewer',
  tag,
  summary: 'The file as it was uploaded',
  params: documentParams,
  produces: 'application/octet-stream',
  status: 200,
});

export const retryDocument = defineOperation({
  id: 'retryDocument',
  method: 'POST',
  path: '/dashboard/knowledge/documents/{documentId}/retry',
  scope: 'member',
  role: 'member',
  tag,
  summary: 'Process a FAILED document once more, within the request',
  params: documentParams,
  response: enveloped(documentSchema),
  status: 200,
});

const rankSchema = z.object({ rank: z.int().describe('1 is best'), score: z.number() });

export const searchHitSchema = z.object({
  chunkId: z.string(),
  documentId: z.string(),
  documentName: z.string(),
  knowledgeBaseId: z.string(),
  knowledgeBaseName: z.string(),
  text: z.string(),
  score: z.number().describe('0 to 1: cosine similarity of the vectors'),
  location: z.string(),
  source: chunkSourceSchema,
  why: z.object({
    vector: rankSchema
      .nullable()
      .describe('Place and cosine similarity among the vectors; null where only words matched'),
    fullText: rankSchema
      .nullable()
      .describe('Place and weight among the word matches; null where no word matched'),
    fusedScore: z.number().describe('Sum of 1 / (60 + rank) over both lists: what the order follows'),
    matchedWords: z.array(z.string()),
  }),
});

export const searchKnowledge = defineOperation({
  id: 'searchKnowledge',
  method: 'POST',
  path: '/dashboard/knowledge/search',
  scope: 'member',
  role: 'viewer',
  tag,
  summary: 'What an agent, or a knowledge base, answers a question from, and why',
  body: z
    .object({
      agentId: z.string().min(1).max(500).optional(),
      knowledgeBaseId: z.string().min(1).max(500).optional(),
      query: requiredText(2_000),
      limit: z.int().min(1).max(50).default(8),
    })
    .refine((body) => (body.agentId === undefined) !== (body.knowledgeBaseId === undefined), {
      path: ['agentId'],
      message: 'give either agentId or knowledgeBaseId',
    }),
  response: enveloped(
    z.object({
      hits: z.array(searchHitSchema),
      searchedChunks: z.int(),
      durationMs: z.number(),
      plan: z.enum(['empty', 'exact', 'hamming']).describe('How the vectors were searched'),
    }),
  ),
  status: 200,
});

export const knowledgeDashboardOperations = [
  getKnowledgeOverview,
  setKnowledgeBaseAgents,
  reembedKnowledgeBase,
  getDocumentDetail,
  getDocumentText,
  listDocumentChunks,
  downloadDocument,
  retryDocument,
  searchKnowledge,
];
