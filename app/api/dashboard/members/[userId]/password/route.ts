import { resetMemberPassword } from '#lib/features/members/contract.ts';
import { route } from '#lib/http/route.ts';

export const PUT = route(resetMemberPassword)(async ({ actor, params, body, runtime }) => ({
  data: await runtime.members.resetPassword(actor, params.userId, body.password),
}));
