import ipaddr from 'ipaddr.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** What `WEBHOOK_ALLOWLIST` allows although it is private: names, and addresses or ranges of them. */
export type Allowlist = {
  readonly names: readonly { name: string; port: number | undefined }[];
  readonly ranges: readonly { range: Range; port: number | undefined }[];
};

/**
 * Reads the entries of `WEBHOOK_ALLOWLIST`: `host`, `host:port`, an address (IPv6 with a port in brackets) or a CIDR.
 * Throws an Error whose message names the entry that is none of these.
 */
export function parseAllowlist(entries: readonly string[]): Allowlist {
  const names: { name: string; port: number | undefined }[] = [];
  const ranges: { range: Range; port: number | undefined }[] = [];
  for (const entry of entries) {
    if (entry.includes('/')) ranges.push({ range: parseRange(entry), port: undefined });
    else {
      const { host, port } = splitPort(entry);
      if (ipaddr.isValid(host)) ranges.push({ range: singleAddress(host), port });
      else names.push({ name: host, port });
    }
  }
  return { names, ranges };
}

/** Whether the operator named this host (and port): then every address it resolves to is allowed. */
export function allowsName(allowlist: Allowlist, host: string, port: number): boolean {
  return allowlist.names.some((entry) => entry.name === host && (entry.port ?? port) === port);
}

/** Whether the operator allowed this address (and port), by itself or within a range. */
export function allowsAddress(allowlist: Allowlist, address: string, port: number): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  return allowlist.ranges.some(
    (entry) =>
      (entry.port ?? port) === port && parsed.kind() === entry.range[0].kind() && parsed.match(entry.range),
  );
}

/** Whether some range may excuse a name on this port, which only resolving the name can tell. */
export function mayAllowSomeAddress(allowlist: Allowlist, port: number): boolean {
  return allowlist.ranges.some((entry) => (entry.port ?? port) === port);
}

/** Whether an entry names this very port (a port that browsers refuse needs that). */
export function namesPort(allowlist: Allowlist, port: number): boolean {
  return [...allowlist.names, ...allowlist.ranges].some((entry) => entry.port === port);
}

function parseRange(entry: string): Range {
  try {
    return ipaddr.parseCIDR(entry);
  } catch {
    throw new Error(`'${entry}' is not a range of addresses such as 10.0.0.0/8`);
  }
}

function singleAddress(address: string): Range {
  const parsed = ipaddr.parse(address);
  return [parsed, parsed.kind() === 'ipv4' ? 32 : 128];
}

function splitPort(entry: string): { host: string; port: number | undefined } {
  if (ipaddr.isValid(entry)) return { host: entry, port: undefined };
  // The URL parser brings names into the form that URLs of webhooks have (lower case, punycode, no odd spellings).
  const url = URL.parse(`http://${entry}`);
  const isBare = url !== null && url.pathname === '/' && !/[/@?#\s]/.test(entry);
  if (!isBare) throw new Error(`'${entry}' is neither host, host:port nor a range of addresses`);
  const port = /:(\d+)$/.exec(entry)?.[1];
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return { host, port: port === undefined ? undefined : Number(port) };
}
