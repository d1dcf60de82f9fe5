import { listSessions, revokeOtherSessions } from '#lib/features/profile/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(listSessions)(async ({ actor, runtime }) => ({
  data: await runtime.profile.sessions(actor),
}));

export const DELETE = route(revokeOtherSessions)(async ({ actor, runtime }) => ({
  data: await runtime.profile.revokeOtherSessions(actor),
}));
