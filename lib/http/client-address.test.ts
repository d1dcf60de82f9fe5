import { expect, test } from 'vitest';
import { resolveClientAddress } from './client-address.ts';

const PROXIES = ['10.0.0.0/8', '203.0.113.9', '2001:db8:1::/48', 'not an address'];

test.each([
  ['a direct client is the socket', '198.51.100.1', undefined, '198.51.100.1'],
  ['a direct client cannot name another address', '198.51.100.1', '192.0.2.1', '198.51.100.1'],
  ['a proxy on this machine is believed', '127.0.0.1', '192.0.2.1', '192.0.2.1'],
  ['so is one over IPv6', '::1', '192.0.2.1', '192.0.2.1'],
  ['only what the proxy added itself counts', '127.0.0.1', '1.1.1.1, 192.0.2.1', '192.0.2.1'],
  ['a chain of trusted proxies is followed', '127.0.0.1', '192.0.2.1, 203.0.113.9, 10.1.2.3', '192.0.2.1'],
  ['an address that maps to IPv4 is that address', '::ffff:198.51.100.1', undefined, '198.51.100.1'],
  ['a trusted range of IPv6 is followed', '2001:db8:1::5', '192.0.2.1', '192.0.2.1'],
  ['nonsense in the header ends the chain', '127.0.0.1', '192.0.2.1, <script>', '127.0.0.1'],
  ['an empty header is no header', '127.0.0.1', ' , ', '127.0.0.1'],
  ['a socket that is gone has no address', undefined, '192.0.2.1', 'unknown'],
])('%s', (_name, socketAddress, forwardedFor, address) => {
  expect(resolveClientAddress({ socketAddress, forwardedFor, trustedProxies: PROXIES })).toBe(address);
});
