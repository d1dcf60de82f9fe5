import type { IncomingMessage } from 'node:http';

/** As much of a refused body as is read and dropped, and for how long; beyond that the connection is cut. */
const MAX_DROPPED_BYTES = 64 * 1024 * 1024;
const MAX_DROPPING_MS = 15_000;

/**
 * Lets the client of a refused upload see the answer. A handler that stops reading a body cancels its stream, and the
 * framework then destroys the request, which cuts the connection while the client still sends: it sees a reset instead
 * of the 400. Here the rest is read and dropped instead, within bounds, and the connection stays usable.
 */
export function dropUnreadBody(request: IncomingMessage): void {
  const destroy = request.destroy.bind(request);
  let isDropping = false;
  request.destroy = (error?: Error) => {
    if (request.complete || request.socket.destroyed) return destroy(error);
    // The framework destroys more than once.
    if (isDropping) return request;
    isDropping = true;
    let droppedBytes = 0;
    const giveUp = setTimeout(() => destroy(), MAX_DROPPING_MS);
    request.once('close', () => clearTimeout(giveUp));
    request.once('end', () => clearTimeout(giveUp));
    request.on('data', (part: Buffer) => {
      droppedBytes += part.byteLength;
      if (droppedBytes > MAX_DROPPED_BYTES) destroy();
    });
    request.unpipe();
    request.resume();
    return request;
  };
}

/** Between two pieces of 64 KiB: some 6 MB a second, which costs the others nothing. */
const PIECE_EVERY_MS = 10;

/**
 * Reads and drops the body of a request that is refused before anybody read it, slowly: as fast as a client can send,
 * it would keep the service busy with nothing else. Called before the answer; `request-bodies.ts` ends it.
 */
export function dropSlowly(request: IncomingMessage): void {
  if (request.complete || request.readableFlowing !== null) return;
  request.on('error', () => {});
  request.on('data', () => {
    request.pause();
    setTimeout(() => request.resume(), PIECE_EVERY_MS).unref();
  });
}
