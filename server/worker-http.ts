import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { getHealth, getReady } from '#lib/features/status/contract.ts';
import { AppError } from '#lib/errors.ts';
import { errorResponse } from '#lib/http/error-response.ts';
import { route, type RouteHandler } from '#lib/http/route.ts';

/** The same answers as app/api gives, without Next. */
const ROUTES: Readonly<Record<string, RouteHandler>> = {
  '/api/health': route(getHealth)(async ({ runtime }) => ({ data: runtime.status.health() })),
  '/api/ready': route(getReady)(async ({ runtime }) => ({ data: await runtime.status.ready() })),
};

/**
 * The HTTP server of a process that only works on calls: it says whether the process is well, and takes the connections of
 * calls (server/upgrades.ts). Everything else is 404.
 */
export function createWorkerServer(): Server {
  const server = createServer((request, response) => void serve(request, response));
  server.headersTimeout = 10_000;
  server.requestTimeout = 10_000;
  return server;
}

async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const [path = ''] = (incoming.url ?? '').split('?');
  const handler = incoming.method === 'GET' || incoming.method === 'HEAD' ? ROUTES[path] : undefined;
  // Nothing here reads a body.
  if (incoming.headers['content-length'] ?? incoming.headers['transfer-encoding'])
    outgoing.setHeader('connection', 'close');
  const answer = handler
    ? await handler(new Request(`http://localhost${path}`), { params: Promise.resolve({}) })
    : errorResponse(new AppError('ROUTE_NOT_FOUND', 'Route not found'));
  outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
  outgoing.end(incoming.method === 'HEAD' ? undefined : await answer.text());
}
