import { type IncomingMessage, request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import { describeError, type Failure } from './failures.ts';

export const MAX_ANSWER_BYTES = 64 * 1024;

export type Answer = {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
  /** More came than is read of an answer. */
  isTruncated: boolean;
};

/** Hears an answer as it comes. */
export type Listener = {
  onHead?: ((status: number, headers: Record<string, string>) => void) | undefined;
  /** Parts of the body, within what is read of it. */
  onPart?: ((part: Uint8Array) => void) | undefined;
};

export type Exchange = { answer: Answer | undefined; failure: Failure | undefined };

/**
 * One HTTP/1.1 request and its answer on an open socket, which is closed afterwards. Follows no redirect, inflates
 * nothing, and reads at most `maxAnswerBytes`. When the signal aborts, what came until then is kept.
 */
export function exchange(
  socket: Socket,
  request: { method: string; url: URL; headers: Record<string, string>; body: Uint8Array },
  given: Listener & { signal: AbortSignal; maxAnswerBytes: number; onTimeout: () => Failure },
): Promise<Exchange> {
  return new Promise((resolve) => {
    let response: IncomingMessage | undefined;
    const parts: Buffer[] = [];
    let sizeBytes = 0;
    const finish = (failure?: Failure) => {
      given.signal.removeEventListener('abort', abort);
      socket.destroy();
      resolve({
        answer: response && toAnswer(response, { parts, sizeBytes, maxBytes: given.maxAnswerBytes }),
        failure,
      });
    };
    const abort = () => finish(given.onTimeout());
    const outgoing = httpRequest({
      // Without an agent there is no pool and no proxy of the environment: the bytes go into this socket.
      createConnection: () => socket,
      method: request.method,
      path: `${request.url.pathname}${request.url.search}`,
      // The host is ours to say, whatever headers a caller passes on.
      headers: {
        ...request.headers,
        host: request.url.host,
        'content-length': String(request.body.byteLength),
      },
      maxHeaderSize: 16 * 1024,
      insecureHTTPParser: false,
    });
    outgoing.on('response', (message) => {
      response = message;
      given.onHead?.(message.statusCode ?? 0, joinHeaders(message.rawHeaders));
      message.on('data', (part: Buffer) => {
        parts.push(part);
        sizeBytes += part.length;
        if (sizeBytes > given.maxAnswerBytes) return finish();
        given.onPart?.(new Uint8Array(part));
      });
      message.on('end', () => finish());
      message.on('error', (error) => finish(describeError(error)));
    });
    outgoing.on('upgrade', () =>
      finish({ kind: 'protocol', reason: 'The receiver answered with a change of protocol.' }),
    );
    outgoing.on('error', (error) => finish(describeError(error)));
    outgoing.on('close', () => finish(describeError({ code: 'ECONNRESET' })));
    given.signal.addEventListener('abort', abort, { once: true });
    if (given.signal.aborted) abort();
    else outgoing.end(request.body);
  });
}

function toAnswer(
  response: IncomingMessage,
  read: { parts: Buffer[]; sizeBytes: number; maxBytes: number },
): Answer {
  return {
    status: response.statusCode ?? 0,
    headers: joinHeaders(response.rawHeaders),
    body: new Uint8Array(Buffer.concat(read.parts).subarray(0, read.maxBytes)),
    isTruncated: read.sizeBytes > read.maxBytes,
  };
}

function joinHeaders(raw: readonly string[]): Record<string, string> {
  const headers = new Map<string, string>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    const value = raw[index + 1] ?? '';
    const known = headers.get(name);
    headers.set(name, known === undefined ? value : `${known}, ${value}`);
  }
  return Object.fromEntries(headers);
}
