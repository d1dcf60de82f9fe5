import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '#lib/errors.ts';
import { bodyTooLarge, JSON_BODY_MS } from '#lib/http/body.ts';
import type { BodyLimit } from '#lib/http/operation.ts';

const MIB = 1024 * 1024;

/** Bodies that have begun and not arrived: how many, and how many bytes they may take in memory. */
export type BodyBounds = { bodies: number; bytes: number };

export const BODY_BOUNDS: { network: BodyBounds; all: BodyBounds } = {
  network: { bodies: 64, bytes: 16 * MIB },
  all: { bodies: 512, bytes: 64 * MIB },
};

/** Counted for a JSON body that does not say its length, and at most for an upload, which is streamed to a file. */
const UNANNOUNCED_BYTES = 128 * 1024;
const UPLOAD_BYTES = MIB;
/** Who neither sends nor reads for so long is gone, or holds the connection on purpose. */
const STALLED_MS = 30_000;
/** A body that is still coming after its answer was sent is read and dropped for so long. */
const REST_MS = 15_000;

/**
 * Bounds the bodies that are on their way, for each network and for all: the framework keeps what has arrived of each in
 * memory, so that some hundred of them, begun and never ended, would fill it.
 */
export function createBodyGuard(bounds = BODY_BOUNDS) {
  const all: BodyBounds = { bodies: 0, bytes: 0 };
  const byNetwork = new Map<string, BodyBounds>();

  function reserve(network: string, bytes: number): () => void {
    const own = byNetwork.get(network) ?? { bodies: 0, bytes: 0 };
    if (!hasRoom(own, bytes, bounds.network) || !hasRoom(all, bytes, bounds.all)) throw tooManyBodies();
    byNetwork.set(network, own);
    add(own, 1, bytes);
    add(all, 1, bytes);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      add(own, -1, -bytes);
      add(all, -1, -bytes);
      if (own.bodies === 0) byNetwork.delete(network);
    };
  }

  /**
   * Lets the body of a request begin. Throws `PAYLOAD_TOO_LARGE` where it announces more than its path takes, and
   * `RATE_LIMITED` where too many are on their way.
   */
  return function admitBody(
    request: IncomingMessage,
    response: ServerResponse,
    { network, limit }: { network: string; limit: BodyLimit },
  ): void {
    if (!hasBody(request)) return;
    closeAfterAnswer(request, response);
    const release = reserve(network, bytesToReserve(request, limit));
    // Most bodies come with their headers, and are there as soon as this returns.
    process.nextTick(() => request.complete && release());
    request.once('end', release);
    response.once('close', release);
    if (limit.kind === 'json') closeWhenLate(request, response);
  };
}

function hasBody(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length']) > 0;
}

function bytesToReserve(request: IncomingMessage, limit: BodyLimit): number {
  const length = request.headers['content-length'];
  if (limit.kind === 'upload') return UPLOAD_BYTES;
  const announced = length === undefined ? Math.min(limit.maxBytes, UNANNOUNCED_BYTES) : Number(length);
  if (announced > limit.maxBytes) throw bodyTooLarge(limit.maxBytes);
  return announced;
}

function hasRoom(taken: BodyBounds, bytes: number, bound: BodyBounds): boolean {
  return taken.bodies < bound.bodies && taken.bytes + bytes <= bound.bytes;
}

function add(taken: BodyBounds, bodies: number, bytes: number): void {
  taken.bodies += bodies;
  taken.bytes += bytes;
}

function tooManyBodies(): AppError {
  return new AppError(
    'RATE_LIMITED',
    'Too many requests are still being sent; send them one after the other',
    {
      retryAfterSeconds: 1,
    },
  );
}

/** Where nobody reads the body (`readJsonBody` answers 408 by itself), the connection is cut a little later. */
function closeWhenLate(request: IncomingMessage, response: ServerResponse): void {
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, 1.5 * JSON_BODY_MS);
  timer.unref();
  response.once('close', () => clearTimeout(timer));
}

/** A client that was refused sees the answer although it still sends; what comes then is dropped, but not for long. */
function closeAfterAnswer(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (request.complete) return;
    const timer = setTimeout(() => request.socket.destroy(), REST_MS);
    timer.unref();
    request.once('close', () => clearTimeout(timer));
    request.once('end', () => clearTimeout(timer));
  });
}

/**
 * Closes connections on which nothing has moved for half a minute: a request or a body that never comes, an answer
 * that is not read, and those that were kept for a next request long enough. One that waits for an answer, or for the
 * next event of a stream, stays.
 */
export function closeStalledConnections(server: Server): void {
  const latest = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>();
  server.on('request', (request: IncomingMessage, response: ServerResponse) =>
    latest.set(request.socket, { request, response }),
  );
  server.setTimeout(STALLED_MS, (socket: Socket) => {
    const { request, response } = latest.get(socket) ?? {};
    const isWaiting = request?.complete && !response?.writableFinished && socket.writableLength === 0;
    if (!isWaiting) socket.destroy();
  });
}
