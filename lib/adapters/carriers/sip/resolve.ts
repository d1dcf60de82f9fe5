import { lookup, resolveSrv } from 'node:dns/promises';
import { isIP } from 'node:net';
import { bareHost, parseUri, type SipUri } from './grammar.ts';
import type { Destination, Protocol } from './flow.ts';

const DEFAULT_PORT: Record<Protocol, number> = { udp: 5_060, tcp: 5_060, tls: 5_061 };

/** What a SIP URI says of the way to it: a `sips` address is reached over TLS only. */
export function protocolOf(uri: SipUri): Protocol {
  if (uri.scheme === 'sips') return 'tls';
  const named = uri.params.get('transport')?.toLowerCase();
  return named === 'tcp' || named === 'tls' ? named : 'udp';
}

/**
 * Where a request to `text` goes (RFC 3263): an address as it is, a name with a port by its address, a name without one
 * by its SRV records first. Only one place is given: an INVITE that may have arrived somewhere is not sent elsewhere.
 */
export async function resolveUri(text: string): Promise<Destination> {
  const uri = parseUri(text);
  if (!uri) throw new Error('an address that is no SIP URI');
  const protocol = protocolOf(uri);
  const host = bareHost(uri.params.get('maddr') ?? uri.host);
  if (isIP(host) !== 0)
    return { protocol, address: host, port: uri.port ?? DEFAULT_PORT[protocol], serverName: undefined };
  const service = uri.port === undefined ? await findService(host, protocol) : undefined;
  const { address } = await lookup(service?.name ?? host);
  const port = uri.port ?? service?.port ?? DEFAULT_PORT[protocol];
  return { protocol, address, port, serverName: host };
}

async function findService(host: string, protocol: Protocol) {
  const name = protocol === 'tls' ? `_sips._tcp.${host}` : `_sip._${protocol}.${host}`;
  // Most hosts have none.
  const records = await resolveSrv(name).catch(() => []);
  return records.toSorted((one, other) => one.priority - other.priority || other.weight - one.weight)[0];
}
