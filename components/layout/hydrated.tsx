import type { ReactNode } from 'react';
import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query';

/**
 * Hands what the server has loaded to the queries of the page, so that it is rendered at once and kept fresh
 * afterwards: `<Hydrated fill={(client) => client.setQueryData(agentQueries.list(id).queryKey, agents)}>`.
 */
export function Hydrated({ fill, children }: { fill: (client: QueryClient) => void; children: ReactNode }) {
  const client = new QueryClient();
  fill(client);
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}
