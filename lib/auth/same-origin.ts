import { AppError } from '#lib/errors.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a request that another site made a signed-in browser send. The rule of Go's CrossOriginProtection: the
 * browser's own word (`Sec-Fetch-Site`) first, else `Origin` must be ours; where both are missing the caller is no
 * browser (docs/decisions/0011). `publicOrigin` also passes, since a proxy in front may rewrite `Host`.
 */
export function assertSameOrigin(request: Request, publicOrigin: string): void {
  if (SAFE_METHODS.has(request.method) || isSameOrigin(request.headers, publicOrigin)) return;
  throw new AppError('FORBIDDEN', 'Requests with a session cookie must come from this site');
}

/** The same for a request to become a WebSocket: a browser lets any page make one, and sends its cookies along. */
export function assertOwnPage(headers: Headers, publicOrigin: string): void {
  if (!isSameOrigin(headers, publicOrigin))
    throw new AppError('FORBIDDEN', 'Connections with a session cookie must come from this site');
}

function isSameOrigin(headers: Headers, publicOrigin: string): boolean {
  const origin = headers.get('origin');
  if (origin !== null && origin === publicOrigin) return true;
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin' || site === 'none';
  if (origin === null) return true;
  return URL.canParse(origin) && new URL(origin).host === headers.get('host');
}
