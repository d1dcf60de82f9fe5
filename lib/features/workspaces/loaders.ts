import { cache } from 'react';
import { loadActor, loadUserOrSignIn } from '#lib/auth/loaders.ts';
import { runtime } from '#lib/current-runtime.ts';

/** The workspaces of the signed-in user, by name, with the user's role in each. Once per request. */
export const loadWorkspaces = cache(async () => {
  const user = await loadUserOrSignIn();
  return runtime().profile.workspaces(user.id);
});

export async function loadWorkspace(workspaceId: string) {
  return runtime().workspaces.get(await loadActor(workspaceId));
}

export async function loadUsage(workspaceId: string) {
  return runtime().workspaces.usage(await loadActor(workspaceId));
}
