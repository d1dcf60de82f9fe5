import { changePassword } from '#lib/features/profile/contract.ts';
import { route } from '#lib/http/route.ts';

export const PUT = route(changePassword)(async ({ actor, body, runtime }) => ({
  data: await runtime.profile.changePassword(actor, body),
}));
