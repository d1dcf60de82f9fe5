import { runtime } from '#lib/current-runtime.ts';

const DAYS_GOOD = 30;

/** Whom to tell of a hole in this installation (RFC 9116). Not there where its operator names nobody. */
export function GET(): Response {
  const { env, clock } = runtime();
  if (env.securityContact === undefined) return new Response(null, { status: 404 });
  const expires = new Date(clock.now().getTime() + DAYS_GOOD * 86_400_000);
  const lines = [
    `Contact: ${env.securityContact}`,
    `Expires: ${expires.toISOString()}`,
    `Canonical: ${new URL('/.well-known/security.txt', env.publicUrl).href}`,
  ];
  return new Response(`${lines.join('\n')}\n`, {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  });
}

export const dynamic = 'force-dynamic';
