import type { Metadata } from 'next';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { NumbersView } from '#components/settings/numbers-view.tsx';
import { loadAgents } from '#lib/features/agents/loaders.ts';
import { agentQueries } from '#lib/features/agents/queries.ts';
import { loadNumbers } from '#lib/features/numbers/loaders.ts';
import { numberQueries } from '#lib/features/numbers/queries.ts';

export const metadata: Metadata = { title: 'Numbers' };

export default async function NumbersPage({ params }: { params: Promise<{ workspaceId: string }> }) {
  const { workspaceId } = await params;
  const [numbers, agents] = await Promise.all([loadNumbers(workspaceId), loadAgents(workspaceId)]);
  return (
    <Hydrated
      fill={(client) => {
        client.setQueryData(numberQueries.list(workspaceId).queryKey, numbers);
        client.setQueryData(agentQueries.list(workspaceId).queryKey, agents);
      }}
    >
      <NumbersView />
    </Hydrated>
  );
}
