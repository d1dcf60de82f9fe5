import { revokeKey } from '#lib/features/keys/contract.ts';
import { route } from '#lib/http/route.ts';

export const DELETE = route(revokeKey)(async ({ actor, params, runtime }) => ({
  data: await runtime.keys.revoke(actor, params.keyId),
}));
