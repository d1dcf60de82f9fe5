/** An address of a page is pasted more often than its origin is typed; without a scheme it means https. */
const PAGE = /^(?:(https?):\/\/)?(\*\.)?((?:\[[\da-f:]+\]|[^/?#@\s*:[\]]+)(?::\d+)?)(?:[/?#]\S*)?$/i;

/**
 * The origin of a page as it is kept (scheme, host and port, in the form that browsers send), or one with `*.` for all
 * subdomains of a host; undefined for what is neither.
 */
export function normalizeOrigin(text: string): string | undefined {
  const [, scheme, wildcard, host = ''] = PAGE.exec(text.trim()) ?? [];
  // A word alone is no website.
  if (scheme === undefined && !host.includes('.')) return undefined;
  const address = `${scheme ?? 'https'}://${host}`;
  if (!URL.canParse(address)) return undefined;
  const { origin, hostname, protocol, host: named } = new URL(address);
  if (wildcard === undefined) return origin;
  // All of `com` or of an address of numbers is nobody's website.
  const isDomain = hostname.includes('.') && /[a-z]/i.test(hostname.split('.').at(-1) ?? '');
  return isDomain ? `${protocol}//*.${named}` : undefined;
}

/** Whether a normalized pattern stands for the origin that a browser sent. */
export function originMatches(pattern: string, origin: string): boolean {
  if (!pattern.includes('//*.')) return pattern === origin;
  const [scheme = '', host = ''] = pattern.split('*.');
  return origin.startsWith(scheme) && origin.endsWith(`.${host}`);
}
