import { infiniteQueryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { listAuditEvents } from './contract.ts';

export type AuditFilter = { action?: string | undefined; targetId?: string | undefined };

const root = (workspaceId: string) => ['audit', workspaceId] as const;

export const auditQueries = {
  root,

  list: (workspaceId: string, { action, targetId }: AuditFilter = {}) =>
    infiniteQueryOptions({
      queryKey: [...root(workspaceId), { action: action ?? '', targetId: targetId ?? '' }],
      queryFn: ({ signal, pageParam }) =>
        callOperation(
          listAuditEvents,
          {
            query: {
              ...(action ? { action } : {}),
              ...(targetId ? { targetId } : {}),
              ...(pageParam ? { cursor: pageParam } : {}),
            },
          },
          { workspaceId, signal },
        ).then((answer) => answer.data),
      initialPageParam: '',
      getNextPageParam: (page) => page.nextCursor ?? undefined,
    }),
};
