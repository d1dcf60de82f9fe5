import { infiniteQueryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { listAuditEvents } from './contract.ts';

export const auditQueries = {
  /** `action`: only actions that begin with it. */
  list: (workspaceId: string, action: string) =>
    infiniteQueryOptions({
      queryKey: ['audit', workspaceId, action],
      queryFn: ({ signal, pageParam }) =>
        callOperation(
          listAuditEvents,
          { query: { ...(action ? { action } : {}), ...(pageParam ? { cursor: pageParam } : {}) } },
          { workspaceId, signal },
        ).then((answer) => answer.data),
      initialPageParam: '',
      getNextPageParam: (page) => page.nextCursor ?? undefined,
    }),
};
