import { loadUserOrSignIn } from '#lib/auth/loaders.ts';
import { runtime } from '#lib/current-runtime.ts';

/** The signed-in person as the operations of scope `user` know them. */
async function loadSignedIn() {
  const { id, email, sessionId } = await loadUserOrSignIn();
  return { userId: id, email, sessionId };
}

export async function loadMe() {
  return runtime().profile.get(await loadSignedIn());
}

export async function loadSessions() {
  return runtime().profile.sessions(await loadSignedIn());
}
