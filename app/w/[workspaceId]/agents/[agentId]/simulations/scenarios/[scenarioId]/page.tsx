import { notFound } from 'next/navigation';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { EditScenario } from '#components/simulations/scenario-editor.tsx';
import { loadOutboundPrompts } from '#lib/features/prompts/loaders.ts';
import { promptQueries } from '#lib/features/prompts/queries.ts';
import { loadScenarios } from '#lib/features/simulations/loaders.ts';
import { simulationQueries } from '#lib/features/simulations/queries.ts';

export const metadata = { title: 'Scenario' };

type Props = { params: Promise<{ workspaceId: string; agentId: string; scenarioId: string }> };

export default async function ScenarioPage({ params }: Props) {
  const { workspaceId, agentId, scenarioId } = await params;
  const [prompts, scenarios] = await Promise.all([
    loadOutboundPrompts(workspaceId, agentId),
    loadScenarios(workspaceId, agentId),
  ]);
  if (!scenarios.some(({ id }) => id === decodeURIComponent(scenarioId))) notFound();
  return (
    <Hydrated
      fill={(client) => {
        client.setQueryData(promptQueries.list(workspaceId, agentId).queryKey, prompts);
        client.setQueryData(simulationQueries.scenarios(workspaceId, agentId).queryKey, scenarios);
      }}
    >
      <EditScenario agentId={agentId} scenarioId={decodeURIComponent(scenarioId)} />
    </Hydrated>
  );
}
