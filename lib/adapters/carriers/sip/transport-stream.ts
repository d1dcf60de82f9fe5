import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { contentLength, endOfHead, MOST_MESSAGE_BYTES, parseHead } from './message.ts';
import type { Destination, Flow, Listener, LocalFor, TlsFiles } from './flow.ts';

/** Of peers: one more, and the one that has been quiet for longest is closed. */
const MOST_CONNECTIONS = 500;
/** A peer that takes nothing of what it asked for. */
const MOST_UNSENT_BYTES = 1 << 20;
const CONNECT_TIMEOUT_MS = 5_000;
/** A connection on which nothing was said for so long is closed; peers ping theirs (RFC 5626: 2 minutes). */
const IDLE_MS = 30 * 60_000;
/** A message that has begun has to end by then, however its bytes drip; so has the first of a connection. */
const MESSAGE_TIMEOUT_MS = 20_000;

export type StreamEndpoint = {
  protocol: 'tcp' | 'tls';
  address: string;
  port: number;
  tls?: TlsFiles | undefined;
  localFor: LocalFor;
  isWelcome(address: string): boolean;
  onBytes(bytes: Buffer, flow: Flow): void;
  onFailed(error: unknown): void;
  /** For tests. */
  messageTimeoutMs?: number;
  mostConnections?: number;
};

/** SIP over connections, where Content-Length tells one message from the next (RFC 3261, section 18.3). */
export async function openStreams(endpoint: StreamEndpoint): Promise<Listener> {
  const { protocol, tls, localFor, isWelcome, onBytes, onFailed } = endpoint;
  const { messageTimeoutMs = MESSAGE_TIMEOUT_MS, mostConnections = MOST_CONNECTIONS } = endpoint;
  /** Those that peers opened, the one first that has said nothing for longest. */
  const taken = new Set<Socket>();
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
  // Those that are only shaking hands are counted here alone.
  server.maxConnections = 2 * mostConnections;
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
    if (refuseStrangers(socket)) return;
    const [quietest] = taken;
    if (taken.size >= mostConnections) quietest?.destroy();
    if (quietest && taken.size >= mostConnections) taken.delete(quietest);
    taken.add(socket);
    use(socket);
  }

  function use(socket: Socket): Flow {
    const remote = { address: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 };
    const key = `${remote.address} ${remote.port}`;
    const flow: Flow = {
      protocol,
      isReliable: true,
      remote,
      local: localFor(remote.address, address, port),
      bound: address,
      send(bytes) {
        if (socket.writableLength > MOST_UNSENT_BYTES) socket.destroy();
        if (socket.writable) socket.write(bytes);
        else onFailed(new Error('the connection is closed'));
      },
      toPort: () => flow,
    };
    sockets.add(socket);
    open.set(key, flow);
    socket.setNoDelay(true);
    readMessages(socket, flow);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      taken.delete(socket);
      if (open.get(key) === flow) open.delete(key);
    });
    return flow;
  }

  function readMessages(socket: Socket, flow: Flow): void {
    const reader = createStreamReader({
      onMessage: (bytes) => onBytes(bytes, flow),
      onPing: () => flow.send(Buffer.from('\r\n')),
    });
    const destroy = () => void socket.destroy();
    /** Runs while a message is awaited that has begun, or the first one of a peer. */
    let deadline = taken.has(socket) ? setTimeout(destroy, messageTimeoutMs) : undefined;
    socket.on('data', (chunk) => {
      const state = reader.read(chunk);
      if (state === 'broken') return destroy();
      if (taken.delete(socket)) taken.add(socket);
      if (state === 'inside') deadline ??= setTimeout(destroy, messageTimeoutMs);
      else {
        clearTimeout(deadline);
        deadline = undefined;
      }
    });
    socket.setTimeout(IDLE_MS, destroy);
    socket.on('close', () => clearTimeout(deadline));
  }

  async function flowTo(destination: Destination): Promise<Flow> {
    const existing = open.get(`${destination.address} ${destination.port}`);
    if (existing) return existing;
    const target = { host: destination.address, port: destination.port };
    const socket =
      protocol === 'tls'
        ? connectTls({ ...target, servername: destination.serverName, ca: tls?.authority })
        : connect(target);
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
 * cut any more is `broken`: where one message ends is where the next begins. Each byte is looked at about once, however
 * small the pieces are in which they come.
 */
export function createStreamReader(handlers: { onMessage(bytes: Buffer): void; onPing(): void }) {
  let waiting: Buffer = Buffer.alloc(0);
  /** Pieces behind `waiting` that are not needed yet. */
  let later: Buffer[] = [];
  let laterBytes = 0;
  /** Of the message that has begun, once its head is there. */
  let neededBytes: number | undefined;
  /** So many bytes of `waiting` are known to hold no end of a head. */
  let searchedBytes = 0;

  function gather(): void {
    waiting = Buffer.concat([waiting, ...later]);
    later = [];
    laterBytes = 0;
  }

  /** How many bytes the message has that begins here; `inside` while nobody knows. */
  function measure(): number | 'inside' | 'broken' {
    const from = Math.max(0, searchedBytes - 3);
    const end = endOfHead(waiting.subarray(from));
    if (!end) {
      searchedBytes = waiting.length;
      return waiting.length > MOST_MESSAGE_BYTES ? 'broken' : 'inside';
    }
    const parsed = parseHead(waiting.toString('utf8', 0, from + end.head));
    const length = parsed.ok ? (contentLength(parsed.message) ?? 0) : Number.NaN;
    const all = from + end.body + length;
    return all <= MOST_MESSAGE_BYTES ? all : 'broken';
  }

  function read(): 'between' | 'inside' | 'broken' {
    for (;;) {
      if (neededBytes === undefined) {
        const skipped = searchedBytes === 0 ? countLineBreaks(waiting) : 0;
        if (skipped >= 4) handlers.onPing();
        waiting = waiting.subarray(skipped);
        if (waiting.length === 0) return 'between';
        const measured = measure();
        if (typeof measured === 'string') return measured;
        neededBytes = measured;
      }
      if (waiting.length < neededBytes) return 'inside';
      handlers.onMessage(waiting.subarray(0, neededBytes));
      waiting = waiting.subarray(neededBytes);
      neededBytes = undefined;
      searchedBytes = 0;
    }
  }

  return {
    read(chunk: Buffer): 'between' | 'inside' | 'broken' {
      later.push(chunk);
      laterBytes += chunk.length;
      // The rest of a body is only waited for; a head that drips is looked at when it has grown by an eighth.
      const isEnough =
        neededBytes === undefined
          ? laterBytes * 8 >= waiting.length ||
            chunk.includes(0x0a) ||
            waiting.length + laterBytes > MOST_MESSAGE_BYTES
          : waiting.length + laterBytes >= neededBytes;
      if (!isEnough) return 'inside';
      gather();
      return read();
    },
  };
}

function countLineBreaks(bytes: Buffer): number {
  let at = 0;
  while (bytes[at] === 0x0d || bytes[at] === 0x0a) at += 1;
  return at;
}
