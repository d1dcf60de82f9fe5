import { Hydrated } from '#components/layout/hydrated.tsx';
import { Overview } from '#components/overview/overview.tsx';
import { readOverviewFilter } from '#components/overview/range.ts';
import { Page } from '#components/ui/page-header.tsx';
import { loadAgents } from '#lib/features/agents/loaders.ts';
import { agentQueries } from '#lib/features/agents/queries.ts';
import { loadAttention, loadOverview } from '#lib/features/overview/loaders.ts';
import { overviewQueries } from '#lib/features/overview/queries.ts';

export const metadata = { title: 'Overview' };

type OverviewPageProps = {
  params: Promise<{ workspaceId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export default async function OverviewPage({ params, searchParams }: OverviewPageProps) {
  const { workspaceId } = await params;
  const filter = readOverviewFilter(await searchParams);
  const [overview, attention, agents] = await Promise.all([
    loadOverview(workspaceId, filter),
    loadAttention(workspaceId),
    loadAgents(workspaceId),
  ]);
  return (
    <Hydrated
      fill={(client) => {
        client.setQueryData(overviewQueries.figures(workspaceId, filter).queryKey, overview);
        client.setQueryData(overviewQueries.attention(workspaceId).queryKey, attention);
        client.setQueryData(agentQueries.list(workspaceId).queryKey, agents);
      }}
    >
      <Page>
        <Overview />
      </Page>
    </Hydrated>
  );
}
