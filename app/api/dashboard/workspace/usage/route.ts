import { getUsage } from '#lib/features/workspaces/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getUsage)(async ({ actor, runtime }) => ({
  data: await runtime.workspaces.usage(actor),
}));
