import { expect, it } from 'vitest';
import { parseEnv } from './env.ts';
import { isInNetworks } from './sip-settings.ts';

const SIP = { SIP_LISTEN: 'udp:0.0.0.0:5060' };

it('reads where SIP listens, whom it calls and who may call', () => {
  expect(parseEnv({}).sip).toBeUndefined();
  expect(
    parseEnv({
      SIP_LISTEN: 'udp:0.0.0.0:5060, tcp:[::1]:5062',
      SIP_TRUNK_URI: 'sip:trunk.test:5060;transport=tcp',
      SIP_TRUNK_USERNAME: 'a',
      SIP_TRUNK_PASSWORD: 'b',
      SIP_ALLOWED_PEERS: '192.0.2.0/24,198.51.100.7',
      RTP_PORTS: '30000-30099',
    }).sip,
  ).toMatchObject({
    listen: [
      { protocol: 'udp', address: '0.0.0.0', port: 5_060 },
      { protocol: 'tcp', address: '::1', port: 5_062 },
    ],
    trunkUri: 'sip:trunk.test:5060;transport=tcp',
    credentials: { username: 'a', password: 'b' },
    registers: false,
    rtpPorts: { first: 30_000, last: 30_099 },
    allowedPeers: ['192.0.2.0/24', '198.51.100.7'],
  });
  expect(parseEnv(SIP).sip).toMatchObject({
    rtpPorts: { first: 20_000, last: 29_999 },
    credentials: undefined,
  });
});

it.each([
  ['SIP_LISTEN', { SIP_LISTEN: 'udp:5060' }],
  ['SIP_LISTEN', { SIP_LISTEN: 'tls:0.0.0.0:5061' }],
  ['SIP_TRUNK_URI', { SIP_TRUNK_URI: 'sip:trunk.test' }],
  ['SIP_TRUNK_REALM', { ...SIP, SIP_TRUNK_REALM: 'trunk.test' }],
  ['SIP_TRUNK_URI', { ...SIP, SIP_TRUNK_URI: 'trunk.test' }],
  ['SIP_TRUNK_URI', { ...SIP, SIP_TRUNK_URI: 'sip:trunk.test;transport=tcp' }],
  ['SIP_TRUNK_USERNAME', { ...SIP, SIP_TRUNK_URI: 'sip:trunk.test', SIP_TRUNK_USERNAME: 'a' }],
  ['SIP_TRUNK_REGISTER', { ...SIP, SIP_TRUNK_REGISTER: 'true' }],
  ['SIP_MEDIA_IP', { ...SIP, SIP_MEDIA_IP: 'here' }],
  ['SIP_ALLOWED_PEERS', { ...SIP, SIP_ALLOWED_PEERS: 'everybody' }],
  ['RTP_PORTS', { ...SIP, RTP_PORTS: '5000' }],
])('%s that is wrong stops the start and is named', (name, env) => {
  expect(() => parseEnv(env)).toThrow(`  ${name}: `);
});

it('only loopback may call where nobody is named, written either way', () => {
  const networks = parseEnv(SIP).sip?.allowedPeers ?? [];
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])
    expect([address, isInNetworks(address, networks)]).toEqual([address, true]);
  for (const address of ['192.168.1.2', '10.0.0.1', '2001:db8::1', '::ffff:192.168.1.2', 'nonsense'])
    expect([address, isInNetworks(address, networks)]).toEqual([address, false]);
});
