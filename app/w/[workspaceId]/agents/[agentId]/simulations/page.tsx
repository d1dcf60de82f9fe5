import { Hydrated } from '#components/layout/hydrated.tsx';
import { SimulationsTab } from '#components/simulations/simulations-tab.tsx';
import { loadScenarios, loadSimulations } from '#lib/features/simulations/loaders.ts';
import { simulationQueries } from '#lib/features/simulations/queries.ts';

export const metadata = { title: 'Simulations' };

type Props = { params: Promise<{ workspaceId: string; agentId: string }> };

export default async function SimulationsPage({ params }: Props) {
  const { workspaceId, agentId } = await params;
  const [scenarios, simulations] = await Promise.all([
    loadScenarios(workspaceId, agentId),
    loadSimulations(workspaceId, agentId),
  ]);
  return (
    <Hydrated
      fill={(client) => {
        client.setQueryData(simulationQueries.scenarios(workspaceId, agentId).queryKey, scenarios);
        client.setQueryData(simulationQueries.list(workspaceId, agentId).queryKey, simulations);
      }}
    >
      <SimulationsTab agentId={agentId} />
    </Hydrated>
  );
}
