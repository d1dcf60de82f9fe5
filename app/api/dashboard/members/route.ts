import { addMember, listMembers } from '#lib/features/members/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(listMembers)(async ({ actor, runtime }) => ({
  data: await runtime.members.list(actor),
}));

export const POST = route(addMember)(async ({ actor, body, runtime }) => ({
  data: await runtime.members.add(actor, body),
}));
