import { getMe, updateMe } from '#lib/features/profile/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getMe)(async ({ actor, runtime }) => ({
  data: await runtime.profile.get(actor),
}));

export const PATCH = route(updateMe)(async ({ actor, body, runtime }) => ({
  data: await runtime.profile.rename(actor, body.name),
}));
