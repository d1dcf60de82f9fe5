import { Hydrated } from '#components/layout/hydrated.tsx';
import { SimulationView } from '#components/simulations/simulation-view.tsx';
import { loadSimulation } from '#lib/features/simulations/loaders.ts';
import { simulationQueries } from '#lib/features/simulations/queries.ts';

export const metadata = { title: 'Simulation' };

type Props = { params: Promise<{ workspaceId: string; agentId: string; simulationId: string }> };

export default async function SimulationPage({ params }: Props) {
  const { workspaceId, agentId, simulationId } = await params;
  const simulation = await loadSimulation(workspaceId, agentId, simulationId);
  return (
    <Hydrated
      fill={(client) => {
        const { queryKey } = simulationQueries.detail(workspaceId, agentId, simulationId);
        client.setQueryData(queryKey, simulation);
      }}
    >
      <SimulationView agentId={agentId} simulationId={simulationId} />
    </Hydrated>
  );
}
