import type { Client } from './generated/client/index.ts';

/**
 * Sends a request once and answers its server-sent events. The generated way sends it again after every failure, and
 * tells the caller of none: a message would be posted again and again.
 */
export function requestEvents(client: Client): Client['sse']['post'] {
  return async (options) => {
    const body = await client.post<ReadableStream<Uint8Array>, unknown, true, 'data'>({
      ...options,
      parseAs: 'stream',
      responseStyle: 'data',
      throwOnError: true,
    });
    return { stream: readEvents(body) };
  };
}

/** The JSON of each event. Rejects when the connection breaks, and with the reason of an aborted signal. */
async function* readEvents<Event>(body: ReadableStream<Uint8Array>): AsyncGenerator<Event> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let buffer = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      buffer += decoder.decode(value, { stream: true });
      const events = buffer.split(/\r?\n\r?\n/);
      buffer = events.pop() ?? '';
      for (const event of events) {
        const data = [...event.matchAll(/^data: ?(.*)$/gm)].map(([, line]) => line);
        if (data.length > 0) yield JSON.parse(data.join('\n')) as Event;
      }
    }
  } finally {
    // Lets go of the connection when the caller leaves the loop.
    reader.cancel().catch(() => undefined);
  }
}
