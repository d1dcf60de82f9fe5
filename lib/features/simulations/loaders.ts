import { loadActor, orNotFound } from '#lib/auth/loaders.ts';
import { runtime } from '#lib/current-runtime.ts';

export async function loadScenarios(workspaceId: string, agentId: string) {
  return orNotFound(runtime().simulations.scenarios.list(await loadActor(workspaceId), agentId));
}

export async function loadSimulations(workspaceId: string, agentId: string) {
  return orNotFound(runtime().simulations.list(await loadActor(workspaceId), agentId));
}

/** With what was said. */
export async function loadSimulation(workspaceId: string, agentId: string, simulationId: string) {
  const wanted = { agentId, simulationId };
  return orNotFound(
    runtime().simulations.get(await loadActor(workspaceId), wanted, { hasTranscripts: true }),
  );
}
