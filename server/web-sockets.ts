import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebConnection } from '#lib/ports/browser-carrier.ts';
import { LISTENING_REFUSED, LISTENING_SOCKET_PATH } from '#lib/features/calls/supervision/contract.ts';
import { CALL_REFUSED, WEB_CALL_SOCKET_PATH } from '#lib/features/calls/web/contract.ts';
import { networkOf, resolveClientAddress } from '#lib/http/client-address.ts';
import { isAppError } from '#lib/errors.ts';
import { describeError } from '#lib/log.ts';
import type { Runtime } from '#lib/runtime.ts';
import { refuseConnection } from '#lib/web-connection.ts';
import { listenIn } from './listening.ts';

type Asked = { id: string; address: URL; connection: WebConnection; client: string };
type Endpoint = {
  path: RegExp;
  /** Closed with it, where the connection is refused. */
  refused: number;
  failed: string;
  take(asked: Asked): Promise<void>;
};

/** Takes requests to become a WebSocket: web calls, and people who listen in. Whatever else asks for one is closed. */
export function createUpgradeHandler(
  runtime: Pick<
    Runtime,
    'auth' | 'webCalls' | 'supervision' | 'rateLimiter' | 'conversationHost' | 'clock' | 'env' | 'log'
  >,
): (request: IncomingMessage, socket: Duplex, head: Buffer) => void {
  const { log } = runtime;

  async function takeWebCall({ id, address, connection, client }: Asked): Promise<void> {
    await runtime.rateLimiter.take(`address:${networkOf(client)}`, 'request', 'request');
    const admission = await runtime.webCalls.admit(id, address.searchParams.get('ticket') ?? '');
    if (!admission.ok) return refuseConnection(connection, admission.code, admission.reason);
    return runtime.conversationHost.handOver('browser', id, connection);
  }

  const endpoints: readonly Endpoint[] = [
    {
      path: WEB_CALL_SOCKET_PATH,
      refused: CALL_REFUSED,
      failed: 'The service could not take the call',
      take: takeWebCall,
    },
    {
      path: LISTENING_SOCKET_PATH,
      refused: LISTENING_REFUSED,
      failed: 'The service could not let you listen',
      take: async ({ id, connection, client }) =>
        listenIn(runtime, { callId: decodeURIComponent(id), connection, client }),
    },
  ];

  return (request, socket, head) => {
    socket.on('error', () => undefined);
    const address = readAddress(request.url);
    const found = address && findEndpoint(endpoints, address.pathname);
    if (!found) return socket.destroy();
    const { method = 'GET', url = '/', headers } = request;
    const connection = { request: { method, url, headers }, socket, head };
    const client = resolveClientAddress({
      socketAddress: request.socket.remoteAddress,
      forwardedFor: headers['x-forwarded-for'],
      trustedProxies: runtime.env.trustedProxies,
    });
    const { endpoint, id } = found;
    endpoint.take({ id, address, connection, client }).catch(async (error: unknown) => {
      if (!isAppError(error)) log.error({ event: 'connection_crashed', error: describeError(error) });
      const reason = isAppError(error) ? error.message : endpoint.failed;
      await refuseConnection(connection, endpoint.refused, reason).catch(() => socket.destroy());
    });
    return undefined;
  };
}

function findEndpoint(endpoints: readonly Endpoint[], path: string) {
  for (const endpoint of endpoints) {
    const [, id] = endpoint.path.exec(path) ?? [];
    if (id !== undefined) return { endpoint, id };
  }
  return undefined;
}

function readAddress(url: string | undefined): URL | undefined {
  return URL.parse(url ?? '/', 'http://localhost') ?? undefined;
}
