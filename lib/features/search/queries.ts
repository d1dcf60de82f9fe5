import { queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { SEARCH_MIN_CHARACTERS, searchWorkspace } from './contract.ts';

export const searchQueries = {
  /** Asks only where there is enough to search for. */
  find: (workspaceId: string, text: string) => {
    const q = text.trim();
    return queryOptions({
      queryKey: ['search', workspaceId, q],
      queryFn: ({ signal }) =>
        callOperation(searchWorkspace, { query: { q } }, { workspaceId, signal }).then(
          (answer) => answer.data,
        ),
      enabled: q.length >= SEARCH_MIN_CHARACTERS,
    });
  },
};
