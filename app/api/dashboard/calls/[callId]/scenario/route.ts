import { makeScenarioOfCall } from '#lib/features/simulations/dashboard/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(makeScenarioOfCall)(async ({ actor, params, runtime }) => ({
  data: await runtime.simulations.makeScenario(actor, params.callId),
}));
