import type { IncomingMessage } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import type { WebConnection } from '#lib/ports/web-connection.ts';

/** Two seconds of audio: whoever sends more in one message does not speak the protocol of web calls. */
const MOST_MESSAGE_BYTES = 64 * 1024;

const webSockets = new WebSocketServer({
  noServer: true,
  maxPayload: MOST_MESSAGE_BYTES,
  perMessageDeflate: false,
});

/** Makes a WebSocket of a connection that asked to become one. Rejects where it cannot. */
export function upgradeConnection({ request, socket, head }: WebConnection): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    socket.once('close', () => reject(new Error('the connection was closed during the upgrade')));
    // `ws` reads nothing of the request but its method and headers.
    webSockets.handleUpgrade(request as IncomingMessage, socket, head, resolve);
  });
}

/** Tells a browser why there is no call, as it can read no answer to a failed upgrade, and closes with `code`. */
export async function refuseConnection(
  connection: WebConnection,
  code: number,
  reason: string,
): Promise<void> {
  const socket = await upgradeConnection(connection);
  socket.send(JSON.stringify({ type: 'refused', reason }));
  socket.close(code);
}
