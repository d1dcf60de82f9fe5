/** Where to go after signing in: a path of this site, never another one that a link tries to send people to. */
export function safeNextPath(next: string | string[] | undefined): string {
  const wanted = Array.isArray(next) ? next[0] : next;
  if (!wanted || !wanted.startsWith('/')) return '/';
  const resolved = URL.canParse(wanted, 'http://here.invalid')
    ? new URL(wanted, 'http://here.invalid')
    : undefined;
  if (!resolved || resolved.origin !== 'http://here.invalid') return '/';
  return resolved.pathname + resolved.search + resolved.hash;
}
