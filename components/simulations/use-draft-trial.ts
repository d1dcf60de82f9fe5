'use client';

import { useQuery } from '@tanstack/react-query';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import type { Simulation } from '#lib/features/simulations/contract.ts';
import { simulationQueries } from '#lib/features/simulations/queries.ts';

export type DraftTrial = {
  /** The last simulation of this very state of the draft; undefined where there is none, or it is not loaded yet. */
  simulation: Simulation | undefined;
  /** The agent has scenarios, and this state of its draft was not tried with them. */
  isUntried: boolean;
};

/** What simulations say of a state of an agent's draft. */
export function useDraftTrial(agentId: string, versionId: string): DraftTrial {
  const { id: workspaceId } = useWorkspace();
  const { data: simulations } = useQuery(simulationQueries.list(workspaceId, agentId));
  const { data: scenarios = [] } = useQuery(simulationQueries.scenarios(workspaceId, agentId));
  const tried = simulations?.find(({ version }) => version.id === versionId);
  const { data: simulation } = useQuery({
    ...simulationQueries.outcome(workspaceId, agentId, tried?.id ?? ''),
    enabled: tried !== undefined,
  });
  return { simulation, isUntried: simulations !== undefined && scenarios.length > 0 && tried === undefined };
}
