import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What the variables SIP_… and RTP_PORTS say of calls over SIP (docs/sip.md). */
export type SipSettings = {
  listen: { protocol: 'udp' | 'tcp' | 'tls'; address: string; port: number }[];
  trunkUri: string | undefined;
  credentials: { username: string; password: string } | undefined;
  /** The trunk's, for which the credentials are; empty: the one with which it asks first. */
  realms: string[];
  registers: boolean;
  mediaIp: string | undefined;
  rtpPorts: { first: number; last: number };
  /** CIDR from which calls are taken. */
  allowedPeers: string[];
  /** Paths of PEM files. */
  tls: { certificateFile: string; keyFile: string } | undefined;
};

type Given = {
  SIP_LISTEN: string[];
  SIP_TRUNK_URI?: string | undefined;
  SIP_TRUNK_USERNAME?: string | undefined;
  SIP_TRUNK_PASSWORD?: string | undefined;
  SIP_TRUNK_REALM: string[];
  SIP_TRUNK_REGISTER: boolean;
  SIP_MEDIA_IP?: string | undefined;
  SIP_ALLOWED_PEERS: string[];
  SIP_TLS_CERT?: string | undefined;
  SIP_TLS_KEY?: string | undefined;
  RTP_PORTS: string;
};

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
const TRUNK = /^sips?:(?:[^@\s<>"]*@)?(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?(?:;[^\s<>"]*)?$/i;

/** Undefined without SIP_LISTEN. Every mistake is told with its variable; what is given is then not used. */
export function readSipSettings(
  given: Given,
  problem: (variable: string, message: string) => void,
): SipSettings | undefined {
  const listen = given.SIP_LISTEN.flatMap((text) => {
    const endpoint = readEndpoint(text);
    if (!endpoint)
      problem(
        'SIP_LISTEN',
        `'${text}' is not udp, tcp or tls with an address and a port, as in udp:0.0.0.0:5060`,
      );
    return endpoint ?? [];
  });
  const needs = Object.entries(given).filter(([name, value]) => name.startsWith('SIP_') && isGiven(value));
  if (given.SIP_LISTEN.length === 0)
    for (const [name] of needs) problem(name, 'has no effect without SIP_LISTEN, which turns SIP on');
  if (given.SIP_LISTEN.length === 0 || listen.length < given.SIP_LISTEN.length) return undefined;
  return {
    listen,
    ...readTrunk(given, listen, problem),
    mediaIp: readMediaIp(given.SIP_MEDIA_IP, problem),
    rtpPorts: readPorts(given.RTP_PORTS, problem),
    allowedPeers: readPeers(given.SIP_ALLOWED_PEERS, problem),
    tls: readTls(given, listen, problem),
  };
}

const isGiven = (value: unknown) =>
  value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);

function readEndpoint(text: string): SipSettings['listen'][number] | undefined {
  const match = /^(udp|tcp|tls):(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/i.exec(text);
  if (!match) return undefined;
  const [, protocol = '', six, four, portText] = match;
  const address = six ?? four ?? '';
  const port = Number(portText);
  if (isIP(address) === 0 || port > 65_535) return undefined;
  const known = (['udp', 'tcp', 'tls'] as const).find((name) => name === protocol.toLowerCase());
  return known && { protocol: known, address, port };
}

type Problem = (variable: string, message: string) => void;

function readTrunk(
  given: Given,
  listen: SipSettings['listen'],
  problem: Problem,
): Pick<SipSettings, 'trunkUri' | 'credentials' | 'realms' | 'registers'> {
  const { SIP_TRUNK_URI: uri, SIP_TRUNK_USERNAME: username, SIP_TRUNK_PASSWORD: password } = given;
  if (uri !== undefined && !TRUNK.test(uri))
    problem('SIP_TRUNK_URI', 'must be a SIP address such as sip:trunk.example.com:5060;transport=udp');
  const named = /;transport=(\w+)/i.exec(uri ?? '')?.[1]?.toLowerCase() ?? 'udp';
  const protocol = /^sips:/i.test(uri ?? '') ? 'tls' : named;
  if (uri !== undefined && !listen.some((endpoint) => endpoint.protocol === protocol))
    problem('SIP_TRUNK_URI', `is reached over ${protocol}, for which SIP_LISTEN has no endpoint`);
  if ((username === undefined) !== (password === undefined))
    problem('SIP_TRUNK_USERNAME', 'and SIP_TRUNK_PASSWORD are given together, or neither is');
  if (uri === undefined && username !== undefined)
    problem('SIP_TRUNK_USERNAME', 'has no effect without SIP_TRUNK_URI');
  if (given.SIP_TRUNK_REALM.length > 0 && username === undefined)
    problem('SIP_TRUNK_REALM', 'has no effect without SIP_TRUNK_USERNAME');
  if (given.SIP_TRUNK_REGISTER && (uri === undefined || username === undefined))
    problem('SIP_TRUNK_REGISTER', 'needs SIP_TRUNK_URI and SIP_TRUNK_USERNAME');
  return {
    trunkUri: uri,
    credentials: username !== undefined && password !== undefined ? { username, password } : undefined,
    realms: given.SIP_TRUNK_REALM,
    registers: given.SIP_TRUNK_REGISTER,
  };
}

function readMediaIp(ip: string | undefined, problem: Problem): string | undefined {
  if (ip !== undefined && isIP(ip) === 0) problem('SIP_MEDIA_IP', 'must be an IP address');
  return ip;
}

function readPorts(text: string, problem: Problem): SipSettings['rtpPorts'] {
  const match = /^(\d{1,5})-(\d{1,5})$/.exec(text);
  const [first, last] = [Number(match?.[1]), Number(match?.[2])];
  if (!match || first < 1_024 || last > 65_535 || last - first < 3)
    problem('RTP_PORTS', 'must be a range of at least four ports from 1024 to 65535, as in 20000-29999');
  return { first, last };
}

function readPeers(given: string[], problem: Problem): string[] {
  for (const text of given)
    if (!ipaddr.isValidCIDR(text) && !ipaddr.isValid(text))
      problem('SIP_ALLOWED_PEERS', `'${text}' is neither an address nor a network such as 192.168.1.0/24`);
  return given.length === 0 ? LOOPBACK : given;
}

function readTls(given: Given, listen: SipSettings['listen'], problem: Problem): SipSettings['tls'] {
  const { SIP_TLS_CERT: certificateFile, SIP_TLS_KEY: keyFile } = given;
  const isUsed = listen.some(({ protocol }) => protocol === 'tls');
  if (isUsed && (certificateFile === undefined || keyFile === undefined))
    problem('SIP_LISTEN', 'has a tls endpoint, which needs SIP_TLS_CERT and SIP_TLS_KEY');
  return certificateFile !== undefined && keyFile !== undefined ? { certificateFile, keyFile } : undefined;
}

/** Whether an address is in one of the networks. An IPv4 address may come written as IPv6. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const found = ipaddr.process(address);
  return networks.some((text) => {
    if (!text.includes('/')) return ipaddr.process(text).toString() === found.toString();
    const [network, bits] = ipaddr.parseCIDR(text);
    return network.kind() === found.kind() && found.match(network, bits);
  });
}
