import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebConnection } from '#lib/ports/browser-carrier.ts';
import { CALL_REFUSED, WEB_CALL_SOCKET_PATH } from '#lib/features/calls/web/contract.ts';
import { networkOf, resolveClientAddress } from '#lib/http/client-address.ts';
import { isAppError } from '#lib/errors.ts';
import { describeError } from '#lib/log.ts';
import type { Runtime } from '#lib/runtime.ts';
import { refuseConnection } from '#lib/web-connection.ts';

/** Takes requests to become a WebSocket: web calls. Whatever else asks for one is closed. */
export function createUpgradeHandler(
  runtime: Pick<Runtime, 'webCalls' | 'rateLimiter' | 'conversationHost' | 'env' | 'log'>,
): (request: IncomingMessage, socket: Duplex, head: Buffer) => void {
  const { log } = runtime;

  async function take(callId: string, ticket: string, connection: WebConnection, client: string) {
    await runtime.rateLimiter.take(`address:${networkOf(client)}`, 'request', 'request');
    const admission = await runtime.webCalls.admit(callId, ticket);
    if (!admission.ok) return refuseConnection(connection, admission.code, admission.reason);
    return runtime.conversationHost.handOver('browser', callId, connection);
  }

  return (request, socket, head) => {
    socket.on('error', () => undefined);
    const address = readAddress(request.url);
    const [, id] = WEB_CALL_SOCKET_PATH.exec(address?.pathname ?? '') ?? [];
    if (!address || id === undefined) return socket.destroy();
    const { method = 'GET', url = '/', headers } = request;
    const connection = { request: { method, url, headers }, socket, head };
    const client = resolveClientAddress({
      socketAddress: request.socket.remoteAddress,
      forwardedFor: headers['x-forwarded-for'],
      trustedProxies: runtime.env.trustedProxies,
    });
    take(id, address.searchParams.get('ticket') ?? '', connection, client).catch(async (error: unknown) => {
      if (!isAppError(error)) log.error({ event: 'web_call_crashed', error: describeError(error) });
      const reason = isAppError(error) ? error.message : 'The service could not take the call';
      await refuseConnection(connection, CALL_REFUSED, reason).catch(() => socket.destroy());
    });
    return undefined;
  };
}

function readAddress(url: string | undefined): URL | undefined {
  return URL.parse(url ?? '/', 'http://localhost') ?? undefined;
}
