import { getWorkspace, updateWorkspace } from '#lib/features/workspaces/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getWorkspace)(async ({ actor, runtime }) => ({
  data: await runtime.workspaces.get(actor),
}));

export const PATCH = route(updateWorkspace)(async ({ actor, body, runtime }) => ({
  data: await runtime.workspaces.update(actor, body),
}));
