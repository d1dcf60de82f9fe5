import { ResultFieldsTab } from '#components/agents/result-fields-tab.tsx';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { loadResultFields } from '#lib/features/agents/results/loaders.ts';
import { resultFieldQueries } from '#lib/features/agents/results/queries.ts';

export const metadata = { title: 'Results' };

type Props = { params: Promise<{ workspaceId: string; agentId: string }> };

export default async function ResultsPage({ params }: Props) {
  const { workspaceId, agentId } = await params;
  const fields = await loadResultFields(workspaceId, agentId);
  return (
    <Hydrated
      fill={(client) => {
        client.setQueryData(resultFieldQueries.fields(workspaceId, agentId).queryKey, fields);
      }}
    >
      <ResultFieldsTab agentId={agentId} />
    </Hydrated>
  );
}
