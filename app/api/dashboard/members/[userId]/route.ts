import { changeMemberRole, removeMember } from '#lib/features/members/contract.ts';
import { route } from '#lib/http/route.ts';

export const PATCH = route(changeMemberRole)(async ({ actor, params, body, runtime }) => ({
  data: await runtime.members.changeRole(actor, params.userId, body.role),
}));

export const DELETE = route(removeMember)(async ({ actor, params, runtime }) => ({
  data: await runtime.members.remove(actor, params.userId),
}));
