import { startSimulation } from '#lib/features/simulations/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(startSimulation)(async ({ actor, params, body, runtime }) => ({
  data: await runtime.simulations.start(actor, params.agentId, body),
}));
