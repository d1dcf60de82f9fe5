import { revokeShare } from '#lib/features/shares/contract.ts';
import { route } from '#lib/http/route.ts';

export const DELETE = route(revokeShare)(async ({ actor, params, runtime }) => ({
  data: await runtime.shares.revoke(actor, params),
}));
