/** Only its being an origin of nobody matters: addresses are resolved against it as a browser resolves them. */
const HERE = 'http://here.invalid';

/**
 * Where to go after signing in: a path of this site, never another one that a link tries to send people to. A path may
 * become another site's address only when it is resolved (`/.//evil.test` has the path `//evil.test`), so what is
 * answered must resolve to the same address once more.
 */
export function safeNextPath(next: string | string[] | undefined): string {
  const wanted = Array.isArray(next) ? next[0] : next;
  if (!wanted?.startsWith('/')) return '/';
  const resolved = URL.parse(wanted, HERE);
  if (resolved?.origin !== HERE) return '/';
  const path = resolved.pathname + resolved.search + resolved.hash;
  return URL.parse(path, HERE)?.href === HERE + path ? path : '/';
}
