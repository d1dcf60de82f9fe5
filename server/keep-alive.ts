import type { Server } from 'node:http';

/**
 * How long a connection without a request stays open. Node tells the far end and closes a second later. Whoever closes
 * first loses the requests that are on their way: a load balancer in front must be the one (docs/operations.md).
 */
export function keepConnections(server: Server, ms: number): void {
  server.keepAliveTimeout = ms;
}

/**
 * Before a stop: connections end with their next answer, those without a request at once. Otherwise a load balancer would
 * go on to send requests over those that it has.
 */
export function letConnectionsGo(server: Server): void {
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
  // Of requests whose headers are sent already.
  server.keepAliveTimeout = 1;
  server.closeIdleConnections();
}
