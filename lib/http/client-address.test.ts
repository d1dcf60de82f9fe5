import { expect, test } from 'vitest';
import { networkOf, resolveClientAddress } from './client-address.ts';

const PROXIES = ['127.0.0.1', '10.0.0.0/8', '203.0.113.9', '2001:db8:1::/48', 'not an address'];

test.each([
  ['a direct client is the socket', '198.51.100.1', undefined, '198.51.100.1'],
  ['a direct client cannot name another address', '198.51.100.1', '192.0.2.1', '198.51.100.1'],
  ['a proxy that is named is believed', '127.0.0.1', '192.0.2.1', '192.0.2.1'],
  ['one on this machine that is not named is the client', '::1', '192.0.2.1', '::1'],
  ['another address of this machine is not named either', '127.0.0.2', '192.0.2.1', '127.0.0.2'],
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

test.each([
  ['an IPv4 address counts alone', '198.51.100.1', '198.51.100.1'],
  ['an IPv6 address counts with its /64', '2001:db8:1:2:3:4:5:6', '20010db800010002/64'],
  ['which is the same for another address in it', '2001:db8:1:2::9', '20010db800010002/64'],
  ['what is no address is kept', 'unknown', 'unknown'],
])('%s', (_name, address, network) => {
  expect(networkOf(address)).toBe(network);
});
