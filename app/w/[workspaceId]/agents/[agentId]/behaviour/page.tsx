import { BehaviourTab } from '#components/agents/behaviour-tab.tsx';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { loadPromptCatalog } from '#lib/features/prompts/loaders.ts';
import { promptQueries } from '#lib/features/prompts/queries.ts';

export const metadata = { title: 'Behaviour' };

type Props = { params: Promise<{ workspaceId: string; agentId: string }> };

export default async function BehaviourPage({ params }: Props) {
  const { workspaceId, agentId } = await params;
  const catalog = await loadPromptCatalog(workspaceId);
  return (
    <Hydrated
      fill={(client) => {
        client.setQueryData(promptQueries.catalog(workspaceId).queryKey, catalog);
      }}
    >
      <BehaviourTab agentId={agentId} />
    </Hydrated>
  );
}
