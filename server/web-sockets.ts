import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebConnection } from '#lib/ports/web-connection.ts';
import { CARRIER_STREAM_PATH } from '#lib/features/calls/callbacks/contract.ts';
import { LISTENING_REFUSED, LISTENING_SOCKET_PATH } from '#lib/features/calls/supervision/contract.ts';
import { CALL_REFUSED, WEB_CALL_SOCKET_PATH } from '#lib/features/calls/web/contract.ts';
import { readTicket } from '#lib/features/calls/web/rules.ts';
import { isDecodable } from '#lib/http/gate.ts';
import { networkOf, resolveClientAddress } from '#lib/http/client-address.ts';
import { AppError, isAppError } from '#lib/errors.ts';
import { describeError } from '#lib/log.ts';
import type { Runtime } from '#lib/runtime.ts';
import { refuseConnection } from '#lib/web-connection.ts';
import { endSocket } from './end-socket.ts';
import { listenIn } from './listening.ts';
import { createRefusals, type Refuse } from './refusals.ts';

type Asked = { id: string; address: URL; connection: WebConnection; client: string };
type Endpoint = {
  path: RegExp;
  take(asked: Asked): Promise<void>;
  /** Tells why there is no connection; `error` is undefined where the service failed. */
  refuse(connection: WebConnection, error: AppError | undefined): Promise<void>;
};

/**
 * Takes requests to become a WebSocket: web calls, people who listen in, and the sound of carriers' calls. Whatever else
 * asks for one is refused. Who is refused is logged with the reason.
 */
export function createUpgradeHandler(
  runtime: Pick<
    Runtime,
    | 'auth'
    | 'webCalls'
    | 'carrierCallbacks'
    | 'supervision'
    | 'rateLimiter'
    | 'conversationHost'
    | 'clock'
    | 'env'
    | 'ids'
    | 'log'
  >,
): (request: IncomingMessage, socket: Duplex, head: Buffer) => void {
  const { log } = runtime;

  async function takeWebCall({ id, address, connection, client }: Asked): Promise<void> {
    await runtime.rateLimiter.take(`address:${networkOf(client)}`, 'request', 'request');
    const { headers } = connection.request;
    const ticket = readTicket(headers['sec-websocket-protocol'], address.searchParams);
    const admission = await runtime.webCalls.admit(id, { ticket, origin: headers.origin });
    if (!admission.ok) {
      const { code, reason } = admission;
      log.warn({ event: 'connection_refused', path: address.pathname, code, reason });
      return refuseConnection(connection, code, reason);
    }
    const request = { ...connection.request, nextTicket: admission.nextTicket };
    return runtime.conversationHost.handOver('browser', id, { ...connection, request });
  }

  /** A carrier that is refused asks what comes next: another process may run the call. */
  async function takeStream({ address, connection, client }: Asked): Promise<void> {
    const asked = { request: connection.request, pathname: address.pathname, address: client };
    const { carrier, reference } = await runtime.carrierCallbacks.admitStream(asked);
    return runtime.conversationHost.handOverLine(carrier, reference, connection);
  }

  const refuse = createRefusals(runtime);
  const endpoints: readonly Endpoint[] = [
    {
      path: WEB_CALL_SOCKET_PATH,
      take: takeWebCall,
      refuse: withCode(CALL_REFUSED, 'The service could not take the call'),
    },
    {
      path: LISTENING_SOCKET_PATH,
      refuse: withCode(LISTENING_REFUSED, 'The service could not let you listen'),
      take: async ({ id, connection, client }) =>
        listenIn(runtime, { callId: decodeURIComponent(id), connection, client }),
    },
    { path: CARRIER_STREAM_PATH, take: takeStream, refuse: withStatus(refuse) },
  ];

  return (request, socket, head) => {
    socket.on('error', () => undefined);
    const address = readAddress(request.url);
    const found = address && findEndpoint(endpoints, address.pathname);
    const refusal = found ? pathFault(address.pathname) : new AppError('ROUTE_NOT_FOUND', 'Route not found');
    if (!found || refusal) return endSocket(socket, refuse(request.method, refusal));
    const { method = 'GET', url = '/', headers } = request;
    const connection = { request: { method, url, headers }, socket, head };
    const client = resolveClientAddress({
      socketAddress: request.socket.remoteAddress,
      forwardedFor: headers['x-forwarded-for'],
      trustedProxies: runtime.env.trustedProxies,
    });
    const { endpoint, id } = found;
    endpoint.take({ id, address, connection, client }).catch(async (error: unknown) => {
      const known = isAppError(error) ? error : undefined;
      const path = address.pathname;
      if (known) log.warn({ event: 'connection_refused', path, code: known.code, reason: known.message });
      else log.error({ event: 'connection_crashed', path, error: describeError(error) });
      await endpoint.refuse(connection, known).catch(() => socket.destroy());
    });
    return undefined;
  };
}

/** For browsers, which can read no answer to a failed upgrade. */
function withCode(code: number, failed: string): Endpoint['refuse'] {
  return (connection, error) => refuseConnection(connection, code, error?.message ?? failed);
}

function withStatus(refuse: Refuse): Endpoint['refuse'] {
  return async ({ socket, request }, error) =>
    endSocket(socket, refuse(request.method, error ?? new AppError('NOT_FOUND', 'The call is not run here')));
}

function findEndpoint(endpoints: readonly Endpoint[], path: string) {
  for (const endpoint of endpoints) {
    const [, id] = endpoint.path.exec(path) ?? [];
    if (id !== undefined) return { endpoint, id };
  }
  return undefined;
}

/** As `createGate` says it of requests. */
function pathFault(pathname: string): AppError | undefined {
  if (isDecodable(pathname)) return undefined;
  return new AppError('MALFORMED_REQUEST', 'The path is not valid percent-encoded UTF-8');
}

function readAddress(url: string | undefined): URL | undefined {
  return URL.parse(url ?? '/', 'http://localhost') ?? undefined;
}
