import { getAgentVersion } from '#lib/features/publishing/history/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getAgentVersion)(async ({ actor, params, runtime }) => ({
  data: await runtime.history.get(actor, params.versionId),
}));
