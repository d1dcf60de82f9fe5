import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '#lib/errors.ts';
import type { Metrics } from '#lib/ports/metrics.ts';

export const METRICS_PATH = '/metrics';

type Asked = { metrics: Metrics; token: string | undefined };

/**
 * Answers a request for the figures of this process, and only to who has `METRICS_TOKEN`: what an operator's traffic looks
 * like is nobody else's business (docs/decisions/0253). Without a token there is no such path.
 */
export async function serveMetrics(
  request: IncomingMessage,
  response: ServerResponse,
  { metrics, token }: Asked,
): Promise<void> {
  assertMayRead(request, token);
  const exposed = await metrics.expose();
  if (!exposed) throw new AppError('ROUTE_NOT_FOUND', 'Route not found');
  response.setHeader('cache-control', 'no-store');
  response.writeHead(200, { 'content-type': exposed.contentType });
  response.end(request.method === 'HEAD' ? undefined : exposed.text);
}

function assertMayRead({ method, headers }: IncomingMessage, token: string | undefined): void {
  if (token === undefined || (method !== 'GET' && method !== 'HEAD'))
    throw new AppError('ROUTE_NOT_FOUND', 'Route not found');
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  // Hashes are of one length, which a comparison in constant time needs.
  if (!timingSafeEqual(hashOf(given), hashOf(token)))
    throw new AppError('UNAUTHORIZED', 'The figures are given to who has METRICS_TOKEN');
}

const hashOf = (text: string) => createHash('sha256').update(text).digest();
