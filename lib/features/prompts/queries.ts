import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { callOperation } from '#lib/http/client.ts';
import {
  getOutboundPromptDetail,
  getPromptCatalog,
  listEditedPrompts,
  listOutboundPrompts,
} from './contract.ts';
import { previewPrompt } from './preview/contract.ts';

export type PreviewInput = z.input<typeof previewPrompt.body>;

const root = (workspaceId: string) => ['prompts', workspaceId] as const;

export const promptQueries = {
  root,

  list: (workspaceId: string, agentId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), agentId, 'list'],
      queryFn: ({ signal }) =>
        callOperation(listOutboundPrompts, { params: { agentId } }, { workspaceId, signal }).then(
          (answer) => answer.data,
        ),
    }),

  /** Those that the editor shows: of the draft, where there is one. */
  edited: (workspaceId: string, agentId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), agentId, 'list', 'edited'],
      queryFn: ({ signal }) =>
        callOperation(listEditedPrompts, { params: { agentId } }, { workspaceId, signal }).then(
          (answer) => answer.data,
        ),
    }),

  /** With what of its card was written by hand. */
  detail: (workspaceId: string, agentId: string, promptId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), agentId, 'detail', promptId],
      queryFn: ({ signal }) =>
        callOperation(
          getOutboundPromptDetail,
          { params: { agentId, promptId } },
          { workspaceId, signal },
        ).then((answer) => answer.data),
    }),

  /** Rendered by the service itself, so that a preview cannot differ from a call. */
  preview: (workspaceId: string, agentId: string, input: PreviewInput) =>
    queryOptions({
      queryKey: [...root(workspaceId), agentId, 'preview', input],
      queryFn: ({ signal }) =>
        callOperation(previewPrompt, { params: { agentId }, body: input }, { workspaceId, signal }).then(
          (answer) => answer.data,
        ),
      placeholderData: (previous) => previous,
      staleTime: 60_000,
      gcTime: 60_000,
    }),

  catalog: (workspaceId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'catalog'],
      queryFn: ({ signal }) =>
        callOperation(getPromptCatalog, {}, { workspaceId, signal }).then((answer) => answer.data),
      staleTime: 300_000,
    }),
};
