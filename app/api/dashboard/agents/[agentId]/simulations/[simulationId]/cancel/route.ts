import { cancelSimulation } from '#lib/features/simulations/dashboard/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(cancelSimulation)(async ({ actor, params, runtime }) => ({
  data: await runtime.simulations.cancel(actor, params),
}));
