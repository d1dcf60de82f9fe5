import { deleteScenario, updateScenario } from '#lib/features/simulations/dashboard/contract.ts';
import { route } from '#lib/http/route.ts';

export const PUT = route(updateScenario)(async ({ actor, params, body, runtime }) => ({
  data: await runtime.simulations.scenarios.update(actor, params, body),
}));

export const DELETE = route(deleteScenario)(async ({ actor, params, runtime }) => {
  await runtime.simulations.scenarios.remove(actor, params);
  return { data: null };
});
