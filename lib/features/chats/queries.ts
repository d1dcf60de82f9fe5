import { queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { getChatWidget } from './widget/contract.ts';

export const chatQueries = {
  /** The website widget of an agent. */
  widget: (workspaceId: string, agentId: string) =>
    queryOptions({
      queryKey: ['chat-widget', workspaceId, agentId],
      queryFn: ({ signal }) =>
        callOperation(getChatWidget, { params: { agentId } }, { workspaceId, signal }).then(
          (answer) => answer.data,
        ),
    }),
};
