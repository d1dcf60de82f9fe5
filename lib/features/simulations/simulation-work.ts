import { createSimulationExecution } from './execution/service.ts';
import { createProposals } from './proposed/service.ts';
import { createScenarioService } from './scenarios/service.ts';
import { createSimulationService } from './service.ts';

export type SimulationWork = ReturnType<typeof createSimulationWork>;

/** Everything that has to do with simulations, from the scenario to the conversation. */
export function createSimulationWork(deps: Parameters<typeof createSimulationExecution>[0]) {
  const execution = createSimulationExecution(deps);
  const scenarios = createScenarioService(deps);
  return {
    ...createSimulationService({ ...deps, execution }),
    ...createProposals({ ...deps, scenarios }),
    scenarios,
    execution,
  };
}
