import { queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import {
  listAgentKnowledgeBases,
  listDocuments,
  listKnowledgeBases,
  listWorkspaceKnowledgeBases,
} from './contract.ts';
import {
  getDocumentDetail,
  getDocumentText,
  getKnowledgeOverview,
  listDocumentChunks,
  searchKnowledge,
} from './dashboard/contract.ts';

export type KnowledgeListQuery = {
  page: number;
  sortBy: 'createdAt' | 'updatedAt' | 'name' | 'description';
  sortOrder: 'asc' | 'desc';
};

/** While vectors are being renewed, how often the progress is asked for. */
const PROGRESS_POLL_MS = 2_000;
/** A document of another tab or person in progress shows its end soon after. */
const PROCESSING_POLL_MS = 3_000;

const root = (workspaceId: string) => ['knowledge', workspaceId] as const;

export const knowledgeQueries = {
  root,

  list: (workspaceId: string, { page, sortBy, sortOrder }: KnowledgeListQuery) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'list', { page, sortBy, sortOrder }],
      queryFn: ({ signal }) =>
        callOperation(
          listKnowledgeBases,
          { query: { page: String(page), sortBy, sortOrder } },
          { workspaceId, signal },
        ).then((answer) => answer.data),
      placeholderData: (previous) => previous,
    }),

  names: (workspaceId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'names'],
      queryFn: ({ signal }) =>
        callOperation(listWorkspaceKnowledgeBases, {}, { workspaceId, signal }).then((answer) => answer.data),
    }),

  ofAgent: (workspaceId: string, agentId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'agent', agentId],
      queryFn: ({ signal }) =>
        callOperation(listAgentKnowledgeBases, { params: { agentId } }, { workspaceId, signal }).then(
          (answer) => answer.data,
        ),
    }),

  overview: (workspaceId: string, id: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'base', id],
      queryFn: ({ signal }) =>
        callOperation(getKnowledgeOverview, { params: { id } }, { workspaceId, signal }).then(
          (answer) => answer.data,
        ),
      refetchInterval: (query) =>
        query.state.data?.embedding.targetModel && !query.state.data.embedding.errorMessage
          ? PROGRESS_POLL_MS
          : false,
    }),

  documents: (workspaceId: string, id: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'base', id, 'documents'],
      queryFn: ({ signal }) =>
        callOperation(listDocuments, { params: { id } }, { workspaceId, signal }).then(
          (answer) => answer.data,
        ),
      refetchInterval: (query) =>
        query.state.data?.some(
          (document) => document.status === 'PENDING' || document.status === 'PROCESSING',
        )
          ? PROCESSING_POLL_MS
          : false,
    }),

  document: (workspaceId: string, documentId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'document', documentId],
      queryFn: ({ signal }) =>
        callOperation(getDocumentDetail, { params: { documentId } }, { workspaceId, signal }).then(
          (answer) => answer.data,
        ),
    }),

  text: (workspaceId: string, documentId: string, start: number) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'document', documentId, 'text', start],
      queryFn: ({ signal }) =>
        callOperation(
          getDocumentText,
          { params: { documentId }, query: { start: String(start) } },
          { workspaceId, signal },
        ).then((answer) => answer.data),
      placeholderData: (previous) => previous,
    }),

  chunks: (workspaceId: string, documentId: string, page: number) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'document', documentId, 'chunks', page],
      queryFn: ({ signal }) =>
        callOperation(
          listDocumentChunks,
          { params: { documentId }, query: { page: String(page) } },
          { workspaceId, signal },
        ).then((answer) => answer.data),
      placeholderData: (previous) => previous,
    }),

  search: (
    workspaceId: string,
    asked: { query: string; agentId?: string | undefined; knowledgeBaseId?: string | undefined },
  ) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'search', asked],
      queryFn: ({ signal }) =>
        callOperation(
          searchKnowledge,
          {
            body: {
              query: asked.query,
              ...(asked.agentId ? { agentId: asked.agentId } : {}),
              ...(asked.knowledgeBaseId ? { knowledgeBaseId: asked.knowledgeBaseId } : {}),
            },
          },
          { workspaceId, signal },
        ).then((answer) => answer.data),
      enabled: asked.query.trim() !== '',
      staleTime: 0,
    }),
};
