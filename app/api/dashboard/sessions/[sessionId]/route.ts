import { revokeSession } from '#lib/features/profile/contract.ts';
import { route } from '#lib/http/route.ts';

export const DELETE = route(revokeSession)(async ({ actor, params, runtime }) => ({
  data: await runtime.profile.revokeSession(actor, params.sessionId),
}));
