import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '#lib/errors.ts';
import { errorBody } from '#lib/http/error-response.ts';
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
  const refused = refusal(request, token);
  const exposed = refused ? undefined : await metrics.expose();
  response.setHeader('cache-control', 'no-store');
  if (!exposed) {
    const error = refused ?? new AppError('ROUTE_NOT_FOUND', 'Route not found');
    response.writeHead(error.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(errorBody(error)));
    return;
  }
  response.writeHead(200, { 'content-type': exposed.contentType });
  response.end(request.method === 'HEAD' ? undefined : exposed.text);
}

function refusal({ method, headers }: IncomingMessage, token: string | undefined): AppError | undefined {
  if (token === undefined || (method !== 'GET' && method !== 'HEAD'))
    return new AppError('ROUTE_NOT_FOUND', 'Route not found');
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  // Hashes are of one length, which a comparison in constant time needs.
  return timingSafeEqual(hashOf(given), hashOf(token))
    ? undefined
    : new AppError('UNAUTHORIZED', 'The figures are given to who has METRICS_TOKEN');
}

const hashOf = (text: string) => createHash('sha256').update(text).digest();
