import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import compression from 'compression';
import { inRequestLane } from '#db/lanes.ts';
import { errorBody } from '#lib/http/error-response.ts';
import { BODY_BYTES_HEADER } from '#lib/http/content-length.ts';
import { CLIENT_ADDRESS_HEADER, networkOf, resolveClientAddress } from '#lib/http/client-address.ts';
import { type Addressed, createGate, isApiPath } from '#lib/http/gate.ts';
import { AUTH_ROUTES, authErrorBody } from '#lib/auth/http.ts';
import { CARRIER_ROUTES } from '#lib/features/calls/callbacks/contract.ts';
import { MCP_ROUTES } from '#lib/http/mcp/contract.ts';
import { operations } from '#lib/http/operations.ts';
import type { RateLimiter, RateLimitKind } from '#lib/http/rate-limit.ts';
import { securityHeaders } from '#lib/http/security-headers.ts';
import { AppError } from '#lib/errors.ts';
import type { Logger } from '#lib/log.ts';
import type { Ids } from '#lib/ports/ids.ts';
import { endSocket } from './end-socket.ts';
import { METRICS_PATH, serveMetrics } from './metrics.ts';
import { createReferencePage, type InlineHashes, REFERENCE_PATH, sendPage } from './reference-page.ts';
import { createRefusals, type Refusal } from './refusals.ts';
import { closeStalledConnections, createBodyGuard } from './request-bodies.ts';
import type { StaticFiles } from './static-files.ts';
import { dropSlowly, dropUnreadBody } from './unread-body.ts';

/**
 * What is shorter fits into a few packets anyway; compressing it would take a thread and wait behind whatever else the
 * threads do. Events of a stream must leave at once.
 */
const compress = compression({
  threshold: 8 * 1024,
  filter: (request, response) =>
    !String(response.getHeader('content-type')).startsWith('text/event-stream') &&
    compression.filter(request, response),
}) as (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

type NextHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * The one HTTP server in front of Next: unknown API paths and unreadable addresses are answered here, and every
 * answer gets the security headers, pages with a nonce that Next puts on its scripts.
 */
export function createHttpServer(options: {
  handle: NextHandler;
  /** See `createGate`. */
  isPage: ((pathname: string) => boolean) | undefined;
  /** Undefined in development, where Next brings them. */
  staticFiles: StaticFiles | undefined;
  publicUrl: string;
  development: boolean;
  trustedProxies: readonly string[];
  rateLimiter: Pick<RateLimiter, 'take'>;
  /** See `serveMetrics`. */
  figures: Parameters<typeof serveMetrics>[2];
  ids: Ids;
  log: Logger;
}): Server {
  const admit = createGate({
    routes: [...operations, ...MCP_ROUTES, ...AUTH_ROUTES, ...CARRIER_ROUTES],
    isPage: options.isPage,
  });
  const admitBody = createBodyGuard();
  const refuse = createRefusals(options);
  const referencePage = createReferencePage(options.handle);
  // In development the page changes, and its reloader brings scripts of its own.
  const isReference = (pathname: string) => !options.development && pathname === REFERENCE_PATH;
  const warnOfProxy = createProxyWarning(options.log);

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = readAddress(request);
    restoreContentLength(response);
    dropUnreadBody(request);
    if (address.pathname === METRICS_PATH) return serveMetrics(request, response, options.figures);
    const page = isReference(address.pathname) ? await referencePage() : undefined;
    applySecurityHeaders(request, response, address.pathname, { ...options, hashes: page?.hashes });
    const client = nameClient(request, options.trustedProxies);
    if (request.headers['x-forwarded-for'] && client === request.socket.remoteAddress) warnOfProxy(client);
    const { path, limit } = admit(addressed(request, address.pathname));
    request.url = path + address.search;
    const network = networkOf(client);
    admitBody(request, response, { network, limit });
    const kind = kindOf(path, options.staticFiles);
    if (kind) await options.rateLimiter.take(`address:${network}`, kind, kind);
    if (page) return sendPage(request, response, page);
    if (await options.staticFiles?.serve(request, response, path)) return;
    compress(request, response, () => {});
    await options.handle(request, response);
  }

  const server = createServer({ connectionsCheckingInterval: 5_000 }, (request, response) => {
    inRequestLane(() => serve(request, response)).catch((error: unknown) => {
      const refusal = refuse(request.method, error);
      if (!response.headersSent) dropSlowly(request);
      sendRefusal(response, refusal, isAuthPath(request.url ?? '/') ? authErrorBody : errorBody);
    });
  });
  // A 50 MB upload over a slow line takes minutes; headers do not.
  server.requestTimeout = 15 * 60_000;
  server.headersTimeout = 10_000;
  closeStalledConnections(server);
  // What is no HTTP at all, or has more than 16 KiB of headers and address, never reaches a handler.
  server.on('clientError', (_error, socket) => {
    if (!socket.writable) return;
    const message = 'The request cannot be read: its address or headers are malformed or too long';
    endSocket(socket, refuse(undefined, new AppError('MALFORMED_REQUEST', message)));
  });
  // Node gives a CONNECT no response object, and closes it without a word where nobody listens.
  server.on('connect', ({ method }, socket) =>
    endSocket(socket, refuse(method, new AppError('ROUTE_NOT_FOUND', 'Route not found'))),
  );
  return server;
}

/**
 * How a request is counted before Next has worked on it; operations count for themselves, once they know who calls. A file
 * is what lies there: Next renders a page for `/w/x.js`.
 */
function kindOf(path: string, files: StaticFiles | undefined): RateLimitKind | undefined {
  if (isAuthPath(path)) return 'signIn';
  if (isApiPath(path)) return undefined;
  const isFile = files?.has(path) ?? path.startsWith('/_next/');
  return isFile ? 'request' : 'page';
}

function isSharedPath(path: string): boolean {
  return path.startsWith('/shared/');
}

function isAuthPath(path: string): boolean {
  return path.startsWith('/api/auth/');
}

/** Behind a proxy that is not named all callers share its limits; the operator should know why. */
function createProxyWarning(log: Logger): (proxy: string) => void {
  let hasWarned = false;
  return (proxy) => {
    if (hasWarned) return;
    hasWarned = true;
    log.warn({
      event: 'proxy_not_trusted',
      proxy,
      hint: 'X-Forwarded-For is not believed; if this is your reverse proxy, name it in TRUSTED_PROXIES',
    });
  };
}

/** See `BODY_BYTES_HEADER`. */
function restoreContentLength(response: ServerResponse): void {
  const setHeader = response.setHeader.bind(response);
  response.setHeader = (name, value) =>
    name.toLowerCase() === BODY_BYTES_HEADER
      ? setHeader('content-length', String(value))
      : setHeader(name, value);
}

function readAddress(request: IncomingMessage): { pathname: string; search: string } {
  const raw = request.url ?? '/';
  const at = raw.indexOf('?');
  const pathname = at < 0 ? raw : raw.slice(0, at);
  const search = at < 0 ? '' : raw.slice(at);
  try {
    decodeURI(pathname);
    // Next parses the address again and fails on what URL does not take.
    // oxlint-disable-next-line no-new -- only to see whether it throws
    new URL(`http://localhost${raw}`);
  } catch {
    throw new AppError('MALFORMED_REQUEST', 'The address is not valid');
  }
  if (!pathname.startsWith('/') || pathname.startsWith('//'))
    throw new AppError('ROUTE_NOT_FOUND', 'Route not found');
  return { pathname, search };
}

function addressed(request: IncomingMessage, pathname: string): Addressed {
  const { accept = '', rsc } = request.headers;
  return {
    method: request.method ?? 'GET',
    pathname,
    wantsPage: accept.includes('text/html') || rsc !== undefined,
  };
}

function applySecurityHeaders(
  request: IncomingMessage,
  response: ServerResponse,
  pathname: string,
  options: { publicUrl: string; development: boolean; hashes: InlineHashes | undefined },
): void {
  const { headers, nonce } = securityHeaders({
    isApi: isApiPath(pathname),
    publicUrl: options.publicUrl,
    development: options.development,
    isShared: isSharedPath(pathname),
    ...(options.hashes ? { hashes: options.hashes } : {}),
  });
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  // Next reads the nonce out of the request's policy; the layout reads x-nonce for its own inline script.
  delete request.headers['x-nonce'];
  // Pages cannot see their own address, and signing in should lead back to it.
  request.headers['x-address'] = request.url ?? '/';
  if (nonce) {
    request.headers['x-nonce'] = nonce;
    request.headers['content-security-policy'] = headers['content-security-policy'];
  }
}

/** Replaces whatever the client sent under this name: limits by address rely on it. */
function nameClient(request: IncomingMessage, trustedProxies: readonly string[]): string {
  const address = resolveClientAddress({
    socketAddress: request.socket.remoteAddress,
    forwardedFor: request.headers['x-forwarded-for'],
    trustedProxies,
  });
  request.headers[CLIENT_ADDRESS_HEADER] = address;
  return address;
}

function sendRefusal(
  response: ServerResponse,
  { error, headers }: Refusal,
  bodyOf: (error: AppError) => object,
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = JSON.stringify(bodyOf(error));
  response.setHeader('content-type', 'application/json');
  response.setHeader('content-length', Buffer.byteLength(body));
  response.writeHead(error.status, headers);
  response.end(body);
}
