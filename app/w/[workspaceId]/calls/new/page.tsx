import { PlaceCall } from '#components/calls/place-call.tsx';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { Page } from '#components/ui/page-header.tsx';
import { loadAgents } from '#lib/features/agents/loaders.ts';
import { agentQueries } from '#lib/features/agents/queries.ts';

export const metadata = { title: 'Place a call' };

export default async function PlaceCallPage({ params }: { params: Promise<{ workspaceId: string }> }) {
  const { workspaceId } = await params;
  const agents = await loadAgents(workspaceId);
  return (
    <Hydrated fill={(client) => client.setQueryData(agentQueries.list(workspaceId).queryKey, agents)}>
      <Page>
        <PlaceCall />
      </Page>
    </Hydrated>
  );
}
