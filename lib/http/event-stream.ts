/**
 * Server-sent events that are there anyway: each object becomes one event. A reader that goes away is no reason to stop
 * whatever makes them; it only stops being told.
 */
export function eventStream(events: AsyncIterable<object>): Response {
  const encoder = new TextEncoder();
  const iterator = events[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(`data: ${JSON.stringify(value)}\n\n`));
    },
  });
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      // A proxy that collects answers would give the words all at once.
      'x-accel-buffering': 'no',
    },
  });
}
