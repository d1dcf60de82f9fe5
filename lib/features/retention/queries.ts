import { queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { previewRetention } from './contract.ts';

type RetentionDays = { conversationDays: number | null; recordingDays: number | null };

const asText = (days: number | null) => (days === null ? undefined : String(days));

export const retentionQueries = {
  preview: (workspaceId: string, { conversationDays, recordingDays }: RetentionDays) =>
    queryOptions({
      queryKey: ['retention', workspaceId, conversationDays, recordingDays],
      queryFn: ({ signal }) =>
        callOperation(
          previewRetention,
          {
            query: { conversationDays: asText(conversationDays), recordingDays: asText(recordingDays) },
          },
          { workspaceId, signal },
        ).then((answer) => answer.data),
    }),
};
