import type { Sender } from './sender.ts';

/** Statuses whose answer has no body, of which `Response` takes none. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/** What clients of libraries use of `fetch`. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * The sender as `fetch`, for libraries that bring a protocol: the same rules for addresses, no redirect, bounds for time
 * and size. The answer's body is read as it comes; one that breaks off, or is too large, fails there.
 */
export function createOutgoingFetch(
  sender: Sender,
  limits: {
    budgetMs: number;
    maxAnswerBytes: number;
    /** Why a request did not end with a whole answer: libraries put their own words in its place. */
    onFailure?: (reason: string) => void;
  },
): Fetch {
  const { budgetMs, maxAnswerBytes, onFailure } = limits;
  return async (url, init = {}) => {
    const body = await bytesOf(init.body);
    const unread = new AbortController();
    const signals = init.signal ? [init.signal, unread.signal] : [unread.signal];
    const head = Promise.withResolvers<{ status: number; headers: Record<string, string> }>();
    let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
    const answer = new ReadableStream<Uint8Array>({
      start: (controller) => void (stream = controller),
      cancel: () => unread.abort(new Error('not read any further')),
    });
    const sending = sender.send({
      budgetMs,
      maxAnswerBytes,
      url: String(url),
      method: init.method ?? 'GET',
      headers: { ...Object.fromEntries(new Headers(init.headers)), 'accept-encoding': 'identity' },
      body,
      signal: AbortSignal.any(signals),
      onHead: (status, headers) => head.resolve({ status, headers }),
      onPart: (part) => {
        if (!unread.signal.aborted) stream?.enqueue(part);
      },
    });
    void sending.then(({ failure, answer: read }) => {
      if (signals.some((signal) => signal.aborted)) {
        head.reject(new Error('The request was given up.'));
        if (!unread.signal.aborted) stream?.error(new Error('The request was given up.'));
        return;
      }
      const reason = failure?.reason ?? (read?.isTruncated ? 'The answer is too large.' : undefined);
      if (reason !== undefined) onFailure?.(reason);
      // Where nothing had come yet, this is what the caller gets.
      head.reject(new Error(reason ?? 'No answer came.'));
      if (reason === undefined) stream?.close();
      else stream?.error(new Error(reason));
    });
    const { status, headers } = await head.promise;
    return new Response(WITHOUT_BODY.has(status) ? null : answer, { status, headers });
  };
}

async function bytesOf(body: RequestInit['body']): Promise<Uint8Array> {
  return body === undefined || body === null
    ? new Uint8Array()
    : new Uint8Array(await new Response(body).arrayBuffer());
}
