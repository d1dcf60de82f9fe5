/** Signs in at `base` with a password and gives back the cookies to send; throws where the service refuses. */
export async function signIn(base: string, user: { email: string; password: string }): Promise<string> {
  const response = await fetch(`${base}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: base },
    body: JSON.stringify(user),
  });
  if (!response.ok) throw new Error(`${user.email} cannot sign in: ${response.status}`);
  const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0]);
  return cookies.join('; ');
}
