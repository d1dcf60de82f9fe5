import { listSimulations } from '#lib/features/simulations/dashboard/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(listSimulations)(async ({ actor, params, runtime }) => ({
  data: { simulations: await runtime.simulations.list(actor, params.agentId) },
}));
