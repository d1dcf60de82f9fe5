/** The JSON of each server-sent event in a fetched body (only `data` lines are used). */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let buffer = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      buffer += decoder.decode(value, { stream: true });
      const events = buffer.split('\n\n');
      buffer = events.pop() ?? '';
      for (const event of events) if (event.startsWith('data: ')) yield JSON.parse(event.slice(6));
    }
  } finally {
    // Lets go of the connection when the one who reads turns away.
    reader.cancel().catch(() => undefined);
  }
}
