import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { RouteHandler } from '#lib/http/route.ts';
import { noMetrics } from '#lib/ports/metrics.ts';
import type { TestRuntime } from '#lib/runtime-testing.ts';
import { createHttpServer } from './http.ts';

/** What Next makes of a request for a route. */
export function webRequest(incoming: IncomingMessage): Request {
  const { method = 'GET', url = '/' } = incoming;
  const headers = Object.entries(incoming.headers).map(
    ([name, value]) => [name, String(value)] as [string, string],
  );
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(`http://localhost:3000${url}`, {
    method,
    headers,
    ...(hasBody ? { body: Readable.toWeb(incoming) as BodyInit, duplex: 'half' } : {}),
  });
}

export async function sendWebResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (!response.body) return void outgoing.end();
  await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing).catch(() => undefined);
}

/** Handlers of route files, by method and path below `/api`: `POST /outbound`, `GET /conversation/{id}`. */
export type ServedRoutes = Record<string, RouteHandler>;

/** The service's own HTTP server in front of some of its routes, without Next. */
export async function startTestServer(
  runtime: TestRuntime,
  routes: ServedRoutes,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createHttpServer({
    figures: { metrics: noMetrics, token: undefined },
    handle: (incoming, outgoing) => serve(routes, incoming, outgoing),
    isPage: () => false,
    staticFiles: undefined,
    publicUrl: 'http://localhost:3000',
    development: false,
    trustedProxies: [],
    rateLimiter: runtime.rateLimiter,
    ids: runtime.ids,
    log: runtime.log,
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => close(server) };
}

async function serve(
  routes: ServedRoutes,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const request = webRequest(incoming);
  const { pathname } = new URL(request.url);
  for (const [address, handle] of Object.entries(routes)) {
    const [method, path = ''] = address.split(' ');
    const pattern = new RegExp(`^/api${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
    const match = method === request.method ? pattern.exec(pathname) : null;
    if (!match) continue;
    return sendWebResponse(await handle(request, { params: Promise.resolve({ ...match.groups }) }), outgoing);
  }
  throw new Error(`This test serves no ${request.method} ${pathname}`);
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
