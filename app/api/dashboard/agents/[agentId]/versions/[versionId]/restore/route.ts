import { restoreAgentVersion } from '#lib/features/publishing/history/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(restoreAgentVersion)(async ({ actor, params, runtime }) => ({
  data: await runtime.history.restore(actor, params),
  message: 'Version restored',
}));
