import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { describeError, type Logger } from '#lib/log.ts';
import type { Address, Destination, Flow, Listener, LocalFor, Protocol, TlsFiles } from './flow.ts';
import { openStreams, type StreamEndpoint } from './transport-stream.ts';
import { openUdp } from './transport-udp.ts';

export type Transport = {
  /** A way to the destination, over a connection that is open already where there is one. Rejects where it cannot be reached. */
  flowTo(destination: Destination): Promise<Flow>;
  /** Where it really listens: port 0 asks for any. */
  listening: readonly (Address & { protocol: Protocol })[];
  close(): Promise<void>;
};

export type TransportOptions = {
  listen: readonly (Address & { protocol: Protocol })[];
  /** The address that peers are told, instead of the one that leads to them. */
  advertisedIp?: string | undefined;
  tls?: TlsFiles | undefined;
  log: Logger;
  /** Whether a connection from there is taken at all. */
  isWelcome(address: string): boolean;
  onBytes(bytes: Buffer, flow: Flow): void;
};

/** Opens every endpoint of `listen`; rejects, with none left open, where one is taken or not of this machine. */
export async function openTransport(options: TransportOptions): Promise<Transport> {
  const { listen, advertisedIp, log } = options;
  const opened: Listener[] = [];
  const localFor = (remote: string, bound: string, port: number): Address => ({
    address: advertisedIp ?? addressTowards(remote, bound),
    port,
  });
  const closeAll = () => Promise.all(opened.map((listener) => listener.close()));

  try {
    for (const endpoint of listen) opened.push(await openListener(endpoint, options, localFor));
  } catch (error) {
    await closeAll();
    throw error;
  }
  for (const { protocol, address, port } of opened)
    log.info({ event: 'sip_listening', protocol, address, port });

  return {
    listening: opened.map(({ protocol, address, port }) => ({ protocol, address, port })),
    async flowTo(destination) {
      const listener = opened.find(
        ({ protocol, address }) =>
          protocol === destination.protocol && isIPv6(address) === isIPv6(destination.address),
      );
      if (!listener)
        throw new Error(`No ${destination.protocol} endpoint is open for ${destination.address}`);
      return listener.flowTo(destination);
    },
    close: async () => void (await closeAll()),
  };
}

async function openListener(
  { protocol, address, port }: Address & { protocol: Protocol },
  options: TransportOptions,
  localFor: LocalFor,
): Promise<Listener> {
  const { log, onBytes, isWelcome, tls } = options;
  const onFailed = (error: unknown) =>
    log.warn({ event: 'sip_transport_failed', protocol, error: describeError(error) });
  try {
    if (protocol === 'udp') return await openUdp({ address, port, localFor, onBytes, onFailed });
    const endpoint: StreamEndpoint = { protocol, address, port, localFor, onBytes, isWelcome, onFailed, tls };
    return await openStreams(endpoint);
  } catch (error) {
    throw new Error(`SIP cannot listen on ${protocol}:${address}:${port}: ${describeError(error)}`, {
      cause: error,
    });
  }
}

/** The address of this machine that leads to `remote`: the bound one, or the one in the same network, or the first. */
export function addressTowards(remote: string, bound: string): string {
  const isWildcard = bound === '0.0.0.0' || bound === '::';
  if (!isWildcard || !ipaddr.isValid(remote)) return bound;
  const target = ipaddr.process(remote);
  if (target.range() === 'loopback') return target.kind() === 'ipv6' ? '::1' : '127.0.0.1';
  const own = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family.toLowerCase() === target.kind());
  const near = own.find(({ cidr }) => cidr !== null && inNetwork(target, cidr));
  return (near ?? own[0])?.address ?? bound;
}

/** Whether an interface of this machine has the address. */
export function isOwnAddress(address: string): boolean {
  return Object.values(networkInterfaces()).some((own) => own?.some((each) => each.address === address));
}

function inNetwork(target: ipaddr.IPv4 | ipaddr.IPv6, cidr: string): boolean {
  const [network, bits] = ipaddr.parseCIDR(cidr);
  return target.kind() === network.kind() && target.match(network, bits);
}
