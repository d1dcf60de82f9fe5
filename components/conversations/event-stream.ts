export type StreamMessage = { id: string; event: string; data: string };

/**
 * Reads server-sent events from a fetched body (WHATWG HTML, 9.2.6). The browser's own EventSource reconnects to a
 * stream that ended on purpose and hides why it was refused, so it is not used.
 */
export async function* readEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamMessage> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  const lines = lineSplitter();
  let message = emptyMessage();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      for (const line of lines(value)) {
        message = withLine(message, line);
        if (line !== '') continue;
        if (message.data !== '') yield { ...message, data: message.data.slice(0, -1) };
        message = { ...emptyMessage(), id: message.id };
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Whole lines out of chunks cut anywhere; what is left over waits for the next chunk. */
function lineSplitter(): (chunk: string) => string[] {
  let rest = '';
  return (chunk) => {
    const text = rest + chunk;
    // A return at the very end of a chunk may be the first half of a line end.
    const held = text.endsWith('\r') ? '\r' : '';
    const lines = text.slice(0, text.length - held.length).split(/\r\n|\n|\r/);
    rest = (lines.pop() ?? '') + held;
    return lines;
  };
}

function emptyMessage(): StreamMessage {
  return { id: '', event: 'message', data: '' };
}

function withLine(message: StreamMessage, line: string): StreamMessage {
  const colon = line.indexOf(':');
  const field = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
  if (field === 'data') return { ...message, data: `${message.data}${value}\n` };
  if (field === 'id') return { ...message, id: value };
  if (field === 'event') return { ...message, event: value };
  return message;
}
