import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { inRequestLane } from '#db/lanes.ts';
import { runtime } from '#lib/current-runtime.ts';
import { getHealth, getReady } from '#lib/features/status/contract.ts';
import { AppError } from '#lib/errors.ts';
import { errorBody } from '#lib/http/error-response.ts';
import { CLIENT_ADDRESS_HEADER } from '#lib/http/client-address.ts';
import { route, type RouteHandler } from '#lib/http/route.ts';
import { METRICS_PATH, serveMetrics } from './metrics.ts';
import { createRefusals } from './refusals.ts';

/** The same answers as app/api gives, without Next. */
const ROUTES: Readonly<Record<string, RouteHandler>> = {
  '/api/health': route(getHealth)(async ({ runtime }) => ({ data: runtime.status.health() })),
  '/api/ready': route(getReady)(async ({ runtime }) => ({ data: await runtime.status.ready() })),
};

/** What carriers' servers say of calls, which this process may run. */
const CARRIERS = '/api/carriers/';

/**
 * The HTTP server of a process that only works on calls: it says whether the process is well, and takes the connections of
 * calls (server/web-sockets.ts) and what carriers say of them. Everything else is 404.
 */
export function createWorkerServer(): Server {
  const server = createServer((request, response) => {
    inRequestLane(() => serve(request, response)).catch((error: unknown) => refuse(request, response, error));
  });
  server.headersTimeout = 10_000;
  server.requestTimeout = 10_000;
  return server;
}

async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const [path = ''] = (incoming.url ?? '').split('?');
  if (path === METRICS_PATH) {
    const { metrics, env } = runtime();
    return serveMetrics(incoming, outgoing, { metrics, token: env.metricsToken });
  }
  const isNews = incoming.method === 'POST' && path.startsWith(CARRIERS);
  // Nothing else here reads a body.
  if (!isNews && (incoming.headers['content-length'] ?? incoming.headers['transfer-encoding']))
    outgoing.setHeader('connection', 'close');
  const answer = isNews
    ? await runtime().carrierCallbacks.serve(newsRequest(incoming))
    : await look(incoming, path);
  outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
  outgoing.end(incoming.method === 'HEAD' ? undefined : await answer.text());
}

async function look(incoming: IncomingMessage, path: string): Promise<Response> {
  const handler = incoming.method === 'GET' || incoming.method === 'HEAD' ? ROUTES[path] : undefined;
  if (!handler) throw new AppError('ROUTE_NOT_FOUND', 'Route not found');
  return handler(new Request(`http://localhost${path}`), { params: Promise.resolve({}) });
}

function refuse({ method }: IncomingMessage, outgoing: ServerResponse, caught: unknown): void {
  const { error, headers } = createRefusals(runtime())(method, caught);
  if (outgoing.headersSent) {
    outgoing.destroy();
    return;
  }
  outgoing.writeHead(error.status, { ...headers, 'content-type': 'application/json' });
  outgoing.end(method === 'HEAD' ? undefined : JSON.stringify(errorBody(error)));
}

function newsRequest(incoming: IncomingMessage): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
  headers.set(CLIENT_ADDRESS_HEADER, incoming.socket.remoteAddress ?? 'unknown');
  // Node asks for `duplex` where a body is a stream; its own types do not know the field.
  const init = { method: 'POST', headers, body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' };
  return new Request(`http://localhost${incoming.url}`, init);
}
