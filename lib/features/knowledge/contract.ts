import { z } from 'zod';
import { withBase } from '#lib/http/base.ts';
import { defineOperation, LONG_TEXT_BYTES, LOOK_UP_ERRORS } from '#lib/http/operation.ts';
import { enveloped, pathId, queryInteger, requiredText, text, timestamp } from '#lib/http/schemas.ts';

/** The largest file a document upload takes: 50 MB, counted in binary megabytes. */
export const MAX_DOCUMENT_BYTES = 50 * 1024 * 1024;
export const KNOWLEDGE_BASE_SORTS = ['createdAt', 'updatedAt', 'name', 'description'] as const;
export const DOCUMENT_STATUS_VALUES = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'] as const;
export const DOCUMENT_FILE_TYPES = ['PDF', 'DOCX', 'TXT', 'MD', 'CSV', 'JSON'] as const;

const tag = 'Knowledge bases';
const deleted = enveloped(z.null());
const baseParams = z.object({ id: pathId });

export const knowledgeBaseSchema = z
  .object({
    id: z.string(),
    workspaceId: z.string(),
    name: z.string(),
    description: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'KnowledgeBase' });

const namedKnowledgeBase = knowledgeBaseSchema
  .pick({ id: true, name: true, description: true })
  .meta({ id: 'KnowledgeBaseName' });

const listedKnowledgeBase = knowledgeBaseSchema
  .extend({
    _count: z.object({ documents: z.int(), agents: z.int() }),
  })
  .meta({ id: 'KnowledgeBaseListItem' });

const uploadedDocument = z
  .object({
    id: z.string(),
    knowledgeBaseId: z.string(),
    filename: z.string().describe('Name of the stored file'),
    originalName: z.string().describe('Name of the uploaded file'),
    fileType: z.enum(DOCUMENT_FILE_TYPES),
    fileSize: z.int().describe('Bytes'),
    status: z.enum(DOCUMENT_STATUS_VALUES),
    chunkCount: z.int().nullable(),
    errorMessage: z
      .string()
      .optional()
      .describe('Why processing failed, and what to do about it; only with FAILED'),
    processedAt: timestamp.nullable(),
  })
  .meta({ id: 'UploadedDocument' });

export const documentSchema = uploadedDocument
  .extend({
    errorMessage: z.string().nullable(),
    createdAt: timestamp,
    _count: z.object({ chunks: z.int() }),
  })
  .meta({ id: 'Document' });

const EXAMPLE_BASE = { name: 'Prices', description: 'What treatments cost' };

export const knowledgeBaseInput = z
  .object({ name: requiredText(200), description: text(2_000) })
  .meta({ id: 'NewKnowledgeBase' });

export const listKnowledgeBases = defineOperation({
  id: 'listKnowledgeBases',
  method: 'GET',
  path: '/knowledge-bases',
  scope: 'workspace',
  role: 'viewer',
  tag,
  summary: 'List knowledge bases, page by page',
  description: 'A page past the end is an empty list. `pageIndex` repeats the page that was asked for.',
  query: z.object({
    page: queryInteger({ min: 1, max: 1_000_000_000, default: 1 }),
    pageSize: queryInteger({ min: 1, max: 1_000, default: 25 }),
    sortBy: z.enum(KNOWLEDGE_BASE_SORTS).default('createdAt'),
    sortOrder: z.enum(['asc', 'desc']).default('desc'),
  }),
  response: enveloped(
    z
      .object({
        knowledgeBases: z.array(listedKnowledgeBase),
        pageCount: z.int(),
        pageIndex: z.int(),
        pageSize: z.int(),
        sortBy: z.enum(KNOWLEDGE_BASE_SORTS),
        sortOrder: z.enum(['asc', 'desc']),
      })
      .meta({ id: 'KnowledgeBasePage' }),
  ),
  status: 200,
});

export const createKnowledgeBase = defineOperation({
  id: 'createKnowledgeBase',
  method: 'POST',
  path: '/knowledge-bases',
  scope: 'workspace',
  role: 'member',
  tag,
  summary: 'Create a knowledge base and its vector collection',
  body: knowledgeBaseInput,
  example: EXAMPLE_BASE,
  response: enveloped(knowledgeBaseSchema),
  status: 201,
});

export const listWorkspaceKnowledgeBases = defineOperation({
  id: 'listWorkspaceKnowledgeBases',
  method: 'GET',
  path: '/knowledge-bases/workspace',
  scope: 'workspace',
  role: 'viewer',
  tag,
  summary: 'List all knowledge bases, light',
  response: enveloped(z.array(namedKnowledgeBase)),
  status: 200,
});

export const getKnowledgeBase = defineOperation({
  id: 'getKnowledgeBase',
  method: 'GET',
  path: '/knowledge-bases/{id}',
  scope: 'workspace',
  role: 'viewer',
  tag,
  summary: 'Read a knowledge base',
  params: baseParams,
  response: enveloped(knowledgeBaseSchema),
  status: 200,
  errors: LOOK_UP_ERRORS,
});

export const updateKnowledgeBase = defineOperation({
  id: 'updateKnowledgeBase',
  method: 'PUT',
  path: '/knowledge-bases/{id}',
  scope: 'workspace',
  role: 'member',
  tag,
  summary: 'Change the name or the description',
  params: baseParams,
  body: withBase(knowledgeBaseInput.partial().meta({ id: 'KnowledgeBaseChange' })),
  example: EXAMPLE_BASE,
  response: enveloped(namedKnowledgeBase),
  status: 200,
  errors: LOOK_UP_ERRORS,
});

export const deleteKnowledgeBase = defineOperation({
  id: 'deleteKnowledgeBase',
  method: 'DELETE',
  path: '/knowledge-bases/{id}',
  scope: 'workspace',
  role: 'member',
  tag,
  summary: 'Delete a knowledge base with its documents, chunks, vectors and stored files',
  params: baseParams,
  response: deleted,
  status: 200,
  errors: LOOK_UP_ERRORS,
});

export const listDocuments = defineOperation({
  id: 'listDocuments',
  method: 'GET',
  path: '/knowledge-bases/{id}/documents',
  scope: 'workspace',
  role: 'viewer',
  tag,
  summary: 'List the documents of a knowledge base, newest first',
  params: baseParams,
  response: enveloped(z.array(documentSchema)),
  status: 200,
  errors: LOOK_UP_ERRORS,
});

export const uploadDocument = defineOperation({
  id: 'uploadDocument',
  method: 'POST',
  path: '/knowledge-bases/{id}/documents',
  scope: 'workspace',
  role: 'member',
  tag,
  summary: 'Upload a document: it is stored, parsed, split, embedded and indexed within the request',
  description:
    'PDF, DOCX, TXT, MD, CSV or JSON, up to 50 MB (52,428,800 bytes). A file of a supported type that cannot be read gives 201 with status FAILED and a reason in errorMessage.',
  params: baseParams,
  body: {
    kind: 'multipart',
    fileField: 'file',
    description: 'The document: .pdf, .docx, .txt, .md, .csv or .json',
  },
  response: enveloped(uploadedDocument),
  status: 201,
  errors: LOOK_UP_ERRORS,
});

export const deleteDocument = defineOperation({
  id: 'deleteDocument',
  method: 'DELETE',
  path: '/knowledge-bases/documents/{documentId}',
  scope: 'workspace',
  role: 'member',
  tag,
  summary: 'Delete a document with its stored file, chunks and vectors',
  params: z.object({ documentId: pathId }),
  response: deleted,
  status: 200,
  errors: LOOK_UP_ERRORS,
});

export const listAgentKnowledgeBases = defineOperation({
  id: 'listAgentKnowledgeBases',
  method: 'GET',
  path: '/agents/{agentId}/knowledge-bases',
  scope: 'workspace',
  role: 'viewer',
  tag,
  summary: 'List the knowledge bases an agent answers from',
  params: z.object({ agentId: pathId }),
  response: enveloped(z.array(knowledgeBaseSchema)),
  status: 200,
  errors: LOOK_UP_ERRORS,
});

export const setAgentKnowledgeBases = defineOperation({
  id: 'setAgentKnowledgeBases',
  method: 'PUT',
  path: '/agents/{agentId}/knowledge-bases',
  scope: 'workspace',
  role: 'member',
  tag,
  summary: "Replace the agent's whole set of knowledge bases; an empty list detaches all",
  params: z.object({ agentId: pathId }),
  maxBodyBytes: LONG_TEXT_BYTES,
  body: withBase(
    z
      .object({ knowledgeBaseIds: z.array(z.string().min(1).max(500)).max(1_000) })
      .meta({ id: 'AgentKnowledgeBases' }),
  ),
  // No base has this id: pasted as it stands it detaches nothing.
  example: { knowledgeBaseIds: ['kb_example'] },
  response: deleted,
  status: 200,
  errors: LOOK_UP_ERRORS,
});

export const knowledgeOperations = [
  listKnowledgeBases,
  createKnowledgeBase,
  listWorkspaceKnowledgeBases,
  getKnowledgeBase,
  updateKnowledgeBase,
  deleteKnowledgeBase,
  listDocuments,
  uploadDocument,
  deleteDocument,
  listAgentKnowledgeBases,
  setAgentKnowledgeBases,
];
