import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { createTokenBucket } from '#lib/token-bucket.ts';
import type { WebConnection } from '#lib/ports/web-connection.ts';

/** Two seconds of audio: whoever sends more in one message does not speak the protocol of web calls. */
const MOST_MESSAGE_BYTES = 64 * 1024;

/** Sound is 50 messages and at most 32 kB a second; a network that stood still brings half a minute of it at once. */
const MESSAGES = { perSecond: 200, burst: 2_000 };
const BYTES = { perSecond: 128 * 1024, burst: 2 * 1024 * 1024 };
const POLICY_VIOLATION = 1008;
/** From a goodbye to the end of the connection, whatever the far end does. */
const CLOSE_WITHIN_MS = 5_000;
/** Connections at once that are told why they are refused; what is above it is told a status, and nothing is kept of it. */
const MOST_REFUSED = 200;

const OPTIONS = {
  noServer: true,
  maxPayload: MOST_MESSAGE_BYTES,
  perMessageDeflate: false,
  // The types of `ws` do not know it yet; it waits 30 s otherwise.
  closeTimeout: CLOSE_WITHIN_MS,
};
const webSockets = new WebSocketServer(OPTIONS);

let refused = 0;

/**
 * Makes a WebSocket of a connection that asked to become one. Rejects where it cannot. One that brings more than any far
 * end has to say is closed, with code 1008.
 */
export function upgradeConnection({ request, socket, head }: WebConnection): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    socket.once('close', () => reject(new Error('the connection was closed during the upgrade')));
    // `ws` reads nothing of the request but its method and headers.
    webSockets.handleUpgrade(request as IncomingMessage, socket, head, (opened) => {
      closeOnFlood(opened);
      resolve(opened);
    });
  });
}

function closeOnFlood(socket: WebSocket): void {
  const nowMs = () => performance.now();
  const messages = createTokenBucket({ ...MESSAGES, nowMs });
  const bytes = createTokenBucket({ ...BYTES, nowMs });
  const count = (data: Buffer) => {
    if (messages.take() && bytes.take(data.length)) return;
    // Many messages come out of one read: the rest of them reach nobody.
    socket.removeAllListeners('message');
    socket.close(POLICY_VIOLATION, 'Too many messages');
  };
  socket.on('message', count);
  socket.on('ping', count);
}

/** Tells a browser why there is no call, as it can read no answer to a failed upgrade, and closes with `code`. */
export async function refuseConnection(
  connection: WebConnection,
  code: number,
  reason: string,
): Promise<void> {
  if (refused >= MOST_REFUSED) return refuseUpgrade(connection.socket, 429);
  const socket = await upgradeConnection(connection);
  refused += 1;
  socket.on('close', () => (refused -= 1));
  refuseSocket(socket, code, reason);
}

export function refuseSocket(socket: WebSocket, code: number, reason: string): void {
  socket.send(JSON.stringify({ type: 'refused', reason }));
  socket.close(code);
}

/** Answers a request to become a WebSocket, whose handshake has not begun, with a status, and ends the connection. */
export function refuseUpgrade(socket: Duplex, status: number): void {
  endWith(
    socket,
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  );
}

/** Says a last word. A far end that does not close its side, too, would keep the connection for ever. */
export function endWith(socket: Duplex, text: string): void {
  socket.end(text);
  const timer = setTimeout(() => socket.destroy(), CLOSE_WITHIN_MS);
  timer.unref();
  socket.on('close', () => clearTimeout(timer));
}
