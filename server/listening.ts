import type { WebSocket } from 'ws';
import {
  LISTENING_REFUSED,
  LISTENING_REVOKED,
  listenToCall,
  type ListeningMessage,
} from '#lib/features/calls/supervision/contract.ts';
import { CLIENT_ADDRESS_HEADER } from '#lib/http/client-address.ts';
import { describeError } from '#lib/log.ts';
import type { Clock } from '#lib/ports/clock.ts';
import type { WebConnection } from '#lib/ports/web-connection.ts';
import type { Runtime } from '#lib/runtime.ts';
import { refuseConnection, upgradeConnection } from '#lib/web-connection.ts';

const PING_EVERY_MS = 2_000;
/** Three seconds of both sides. Whoever takes no more misses what comes until they do: the call waits for nobody. */
const MOST_BUFFERED_BYTES = 192 * 1024;
/** Pings. */
const MOST_UNANSWERED = 5;
const CLOSE_WITHIN_MS = 2_000;
const NORMAL = 1000;

type Deps = Pick<Runtime, 'auth' | 'rateLimiter' | 'supervision' | 'clock' | 'log'>;

/**
 * Lets a signed-in member hear both sides of a call over a WebSocket, for as long as their session may and the call lasts.
 * Throws AppErrors for whoever may not, before the connection becomes a WebSocket.
 */
export async function listenIn(
  { auth, rateLimiter, supervision, clock, log }: Deps,
  { callId, connection, client }: { callId: string; connection: WebConnection; client: string },
): Promise<void> {
  const asked = requestOf(connection, client);
  const identity = await auth.identifyConnection(asked, listenToCall);
  await rateLimiter.take(identity.rateKey, listenToCall.id);
  const listening = await supervision.listen(identity.actor, callId);
  if (!listening.ok) return refuseConnection(connection, LISTENING_REFUSED, listening.reason);
  const socket = await upgradeConnection(connection);
  const over = new AbortController();
  const close = (code: number) => {
    over.abort();
    socket.close(code);
    setTimeout(() => socket.terminate(), CLOSE_WITHIN_MS).unref();
  };
  const stop = listening.supervisor.watch({
    sound({ samples }) {
      if (socket.bufferedAmount < MOST_BUFFERED_BYTES) socket.send(samples);
    },
    ended() {
      tell(socket, { type: 'ended' });
      close(NORMAL);
    },
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    over.abort();
    stop();
  });
  tell(socket, { type: 'listening' });
  const access = await auth.watchAccess(asked, identity.actor, listenToCall).catch((error: unknown) => {
    log.error({ event: 'listening_failed', error: describeError(error) });
  });
  if (access) {
    await untilGone(socket, clock, AbortSignal.any([over.signal, access.lost]));
    access.stop();
  }
  if (!over.signal.aborted) {
    stop();
    close(LISTENING_REVOKED);
  }
}

/** Resolves when the signal aborts, or the listener is gone without a word. */
async function untilGone(socket: WebSocket, clock: Clock, signal: AbortSignal): Promise<void> {
  let unanswered = 0;
  socket.on('pong', () => (unanswered = 0));
  while (unanswered < MOST_UNANSWERED) {
    unanswered += 1;
    socket.ping();
    await clock.sleep(PING_EVERY_MS, signal).catch(() => undefined);
    if (signal.aborted) return;
  }
}

function tell(socket: WebSocket, message: ListeningMessage): void {
  socket.send(JSON.stringify(message));
}

/** The request as authentication reads it. */
function requestOf({ request }: WebConnection, client: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  headers.set(CLIENT_ADDRESS_HEADER, client);
  return new Request(new URL(request.url, 'http://localhost'), { headers });
}
