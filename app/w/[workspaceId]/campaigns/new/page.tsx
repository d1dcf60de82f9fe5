import { NewCampaign } from '#components/campaigns/new-campaign.tsx';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { Page } from '#components/ui/page-header.tsx';
import { loadAgents } from '#lib/features/agents/loaders.ts';
import { agentQueries } from '#lib/features/agents/queries.ts';

export const metadata = { title: 'New campaign' };

export default async function NewCampaignPage({ params }: { params: Promise<{ workspaceId: string }> }) {
  const { workspaceId } = await params;
  const agents = await loadAgents(workspaceId);
  return (
    <Hydrated fill={(client) => client.setQueryData(agentQueries.list(workspaceId).queryKey, agents)}>
      <Page width="narrow">
        <NewCampaign />
      </Page>
    </Hydrated>
  );
}
