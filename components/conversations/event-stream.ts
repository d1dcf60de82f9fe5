import { EventSourceParserStream } from 'eventsource-parser/stream';

/**
 * The data of each server-sent event in a fetched body. The browser's own EventSource reconnects to a stream that ended
 * on purpose and hides why it was refused, so it is not used.
 */
export async function* readEventData(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield value.data;
    }
  } finally {
    // Lets go of the connection when the one who reads turns away.
    await reader.cancel().catch(() => undefined);
  }
}
