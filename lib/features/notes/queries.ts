import { queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { listCallNotes } from './contract.ts';

/** Others may write beside the one who reads. */
const POLL_MS = 15_000;

export const noteQueries = {
  list: (workspaceId: string, callId: string) =>
    queryOptions({
      queryKey: ['notes', workspaceId, callId],
      queryFn: ({ signal }) =>
        callOperation(listCallNotes, { params: { callId } }, { workspaceId, signal }).then(
          (answer) => answer.data.notes,
        ),
      refetchInterval: POLL_MS,
    }),
};
