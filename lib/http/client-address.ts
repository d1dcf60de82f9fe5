import ipaddr from 'ipaddr.js';

/** Set by our own server on every request, replacing whatever the client sent under that name. */
export const CLIENT_ADDRESS_HEADER = 'x-client-address';

/** Where a request came from, for limits by address and for the list of sessions. */
export function clientAddress(headers: Headers): string {
  return headers.get(CLIENT_ADDRESS_HEADER) ?? 'unknown';
}

/**
 * Who is counted as one by limits: an IPv4 address, or the network of an IPv6 one. A single customer of a provider has
 * a /64 at least and could walk through it; a site has up to a /48.
 */
export function networkOf(address: string, prefixBits: 48 | 64 = 64): string {
  const parsed = normalized(address);
  if (parsed?.kind() !== 'ipv6') return address;
  return `${parsed
    .toByteArray()
    .slice(0, prefixBits / 8)
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')}/${prefixBits}`;
}

/**
 * The address to put under `CLIENT_ADDRESS_HEADER`. `X-Forwarded-For` is believed only as far as the hops are
 * trusted: read from the right, the first address that is not a trusted proxy is the client. Trusted is what
 * TRUSTED_PROXIES names (addresses or CIDR ranges), and nothing else: on this machine, too, anybody can connect.
 */
export function resolveClientAddress(hops: {
  socketAddress: string | undefined;
  forwardedFor: string | string[] | undefined;
  trustedProxies: readonly string[];
}): string {
  const forwarded = (
    Array.isArray(hops.forwardedFor) ? hops.forwardedFor.join(',') : (hops.forwardedFor ?? '')
  )
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  let address = normalized(hops.socketAddress ?? '');
  while (address && isTrusted(address, hops.trustedProxies)) {
    const previous = normalized(forwarded.pop() ?? '');
    if (!previous) break;
    address = previous;
  }
  return address?.toString() ?? 'unknown';
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

function normalized(text: string): Address | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

function isTrusted(address: Address, trustedProxies: readonly string[]): boolean {
  return trustedProxies.some((proxy) => covers(proxy, address));
}

function covers(proxy: string, address: Address): boolean {
  const slash = proxy.includes('/') ? proxy : `${proxy}/${proxy.includes(':') ? 128 : 32}`;
  if (!ipaddr.isValidCIDR(slash)) return false;
  const [network, bits] = ipaddr.parseCIDR(slash);
  return network.kind() === address.kind() && address.match(network, bits);
}
