import { Hydrated } from '#components/layout/hydrated.tsx';
import { NewScenario } from '#components/simulations/scenario-editor.tsx';
import { loadOutboundPrompts } from '#lib/features/prompts/loaders.ts';
import { promptQueries } from '#lib/features/prompts/queries.ts';

export const metadata = { title: 'New scenario' };

type Props = { params: Promise<{ workspaceId: string; agentId: string }> };

export default async function NewScenarioPage({ params }: Props) {
  const { workspaceId, agentId } = await params;
  const prompts = await loadOutboundPrompts(workspaceId, agentId);
  return (
    <Hydrated
      fill={(client) => client.setQueryData(promptQueries.list(workspaceId, agentId).queryKey, prompts)}
    >
      <NewScenario agentId={agentId} />
    </Hydrated>
  );
}
