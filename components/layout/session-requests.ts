export type SignInOutcome =
  | { ok: true }
  | { ok: false; reason: 'wrong' | 'too_many' | 'unreachable'; message: string };

/** Signs in; the answer sets the session cookie. */
export async function signIn(email: string, password: string): Promise<SignInOutcome> {
  const response = await post('/api/auth/sign-in/email', { email, password });
  if (!response)
    return {
      ok: false,
      reason: 'unreachable',
      message: 'The service cannot be reached. Check the connection and try again.',
    };
  if (response.ok) return { ok: true };
  if (response.status === 429) {
    const seconds = Number(response.headers.get('retry-after') ?? 60);
    const wait = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`;
    return { ok: false, reason: 'too_many', message: `Too many attempts. Try again in ${wait}.` };
  }
  if (response.status < 500)
    return { ok: false, reason: 'wrong', message: 'The e-mail address or the password is wrong.' };
  return {
    ok: false,
    reason: 'unreachable',
    message: 'The service could not answer. Try again in a moment.',
  };
}

let isSigningOut = false;

/** Whether this page is being left by signing out: what is refused from now on needs no way back. */
export const isLeaving = (): boolean => isSigningOut;

/** Ends the session; false when the service could not be reached. */
export async function signOut(): Promise<boolean> {
  isSigningOut = true;
  const response = await post('/api/auth/sign-out', {});
  isSigningOut = response?.ok === true;
  return isSigningOut;
}

async function post(path: string, body: Record<string, string>): Promise<Response | null> {
  return fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => null);
}
