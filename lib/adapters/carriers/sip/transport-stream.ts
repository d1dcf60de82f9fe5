import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { contentLength, endOfHead, MOST_MESSAGE_BYTES, parseHead } from './message.ts';
import type { Destination, Flow, Listener, LocalFor } from './flow.ts';

const MOST_CONNECTIONS = 500;
const CONNECT_TIMEOUT_MS = 5_000;
/** A connection on which nothing was said for so long is closed; peers ping theirs (RFC 5626: 2 minutes). */
const IDLE_MS = 30 * 60_000;
/** A message that has begun has to end. */
const MESSAGE_TIMEOUT_MS = 20_000;

export type StreamEndpoint = {
  protocol: 'tcp' | 'tls';
  address: string;
  port: number;
  tls?: { certificate: string; key: string } | undefined;
  localFor: LocalFor;
  isWelcome(address: string): boolean;
  onBytes(bytes: Buffer, flow: Flow): void;
  onFailed(error: unknown): void;
};

/** SIP over connections, where Content-Length tells one message from the next (RFC 3261, section 18.3). */
export async function openStreams(endpoint: StreamEndpoint): Promise<Listener> {
  const { protocol, tls, localFor, isWelcome, onBytes, onFailed } = endpoint;
  const sockets = new Set<Socket>();
  /** Connections that can be used for requests to where they lead. */
  const open = new Map<string, Flow>();

  const server: Server =
    protocol === 'tls'
      ? createTlsServer(
          { cert: tls?.certificate, key: tls?.key, handshakeTimeout: CONNECT_TIMEOUT_MS },
          welcome,
        )
      : createServer(welcome);
  server.maxConnections = MOST_CONNECTIONS;
  if (protocol === 'tls') server.on('connection', (socket: Socket) => void refuseStrangers(socket));
  server.listen(endpoint.port, endpoint.address);
  await once(server, 'listening');
  server.on('error', onFailed);
  const bound = server.address();
  const { address, port } = typeof bound === 'object' && bound ? bound : endpoint;

  function refuseStrangers(socket: Socket): boolean {
    const isStranger = !isWelcome(socket.remoteAddress ?? '');
    if (isStranger) socket.destroy();
    return isStranger;
  }

  function welcome(socket: Socket): void {
    if (!refuseStrangers(socket)) use(socket);
  }

  function use(socket: Socket): Flow {
    const remote = { address: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 };
    const key = `${remote.address} ${remote.port}`;
    const flow: Flow = {
      protocol,
      isReliable: true,
      remote,
      local: localFor(remote.address, address, port),
      send: (bytes) => {
        if (socket.writable) socket.write(bytes);
        else onFailed(new Error('the connection is closed'));
      },
      toPort: () => flow,
    };
    sockets.add(socket);
    open.set(key, flow);
    socket.setNoDelay(true);
    const reader = createStreamReader({
      onMessage: (bytes) => onBytes(bytes, flow),
      onPing: () => flow.send(Buffer.from('\r\n')),
    });
    socket.on('data', (chunk) => {
      const state = reader.read(chunk);
      if (state === 'broken') socket.destroy();
      else socket.setTimeout(state === 'between' ? IDLE_MS : MESSAGE_TIMEOUT_MS);
    });
    socket.setTimeout(IDLE_MS, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      if (open.get(key) === flow) open.delete(key);
    });
    return flow;
  }

  async function flowTo(destination: Destination): Promise<Flow> {
    const existing = open.get(`${destination.address} ${destination.port}`);
    if (existing) return existing;
    const target = { host: destination.address, port: destination.port };
    const socket =
      protocol === 'tls' ? connectTls({ ...target, servername: destination.serverName }) : connect(target);
    // Without a listener an early error would end the process.
    socket.on('error', () => undefined);
    const signal = AbortSignal.timeout(CONNECT_TIMEOUT_MS);
    try {
      await once(socket, protocol === 'tls' ? 'secureConnect' : 'connect', { signal });
    } catch (error) {
      socket.destroy();
      throw error;
    }
    return use(socket);
  }

  let closing: Promise<void> | undefined;
  return {
    protocol,
    address,
    port,
    flowTo,
    close: () =>
      (closing ??= new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      })),
  };
}

/**
 * Cuts a stream into messages. A double line break between them is a ping (RFC 5626, section 3.5.1). What cannot be
 * cut any more is `broken`: where one message ends is where the next begins.
 */
export function createStreamReader(handlers: { onMessage(bytes: Buffer): void; onPing(): void }) {
  let waiting: Buffer = Buffer.alloc(0);

  return {
    read(chunk: Buffer): 'between' | 'inside' | 'broken' {
      waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
      for (;;) {
        const skipped = countLineBreaks(waiting);
        if (skipped >= 4) handlers.onPing();
        waiting = waiting.subarray(skipped);
        if (waiting.length === 0) return 'between';
        const end = endOfHead(waiting);
        if (!end) return waiting.length > MOST_MESSAGE_BYTES ? 'broken' : 'inside';
        const parsed = parseHead(waiting.toString('utf8', 0, end.head));
        const length = parsed.ok ? (contentLength(parsed.message) ?? 0) : Number.NaN;
        if (!(end.body + length <= MOST_MESSAGE_BYTES)) return 'broken';
        if (waiting.length < end.body + length) return 'inside';
        handlers.onMessage(waiting.subarray(0, end.body + length));
        waiting = waiting.subarray(end.body + length);
      }
    },
  };
}

function countLineBreaks(bytes: Buffer): number {
  let at = 0;
  while (bytes[at] === 0x0d || bytes[at] === 0x0a) at += 1;
  return at;
}
