import { createScenario, listScenarios } from '#lib/features/simulations/dashboard/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(listScenarios)(async ({ actor, params, runtime }) => ({
  data: { scenarios: await runtime.simulations.scenarios.list(actor, params.agentId) },
}));

export const POST = route(createScenario)(async ({ actor, params, body, runtime }) => ({
  data: await runtime.simulations.scenarios.create(actor, params.agentId, body),
}));
