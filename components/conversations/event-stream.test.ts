import { describe, expect, it } from 'vitest';
import { readEventStream, type StreamMessage } from './event-stream.ts';

describe('reading server-sent events', () => {
  it('joins lines of data and knows ids and names', async () => {
    expect(await read(['id: 7\nevent: turn\ndata: {"a":1,\ndata: "b":2}\n\n'])).toEqual([
      { id: '7', event: 'turn', data: '{"a":1,\n"b":2}' },
    ]);
  });

  it('skips comments and events without data, and keeps the last id', async () => {
    expect(await read([': keep alive\n\nid: 3\n\ndata: x\n\n'])).toEqual([
      { id: '3', event: 'message', data: 'x' },
    ]);
  });

  it('takes every kind of line end, cut anywhere', async () => {
    const text = 'data: one\r\n\r\ndata: zwölf\r\rdata: three\n\n';
    const whole = await read([text]);
    expect(whole.map((message) => message.data)).toEqual(['one', 'zwölf', 'three']);
    for (let cut = 1; cut < text.length; cut += 1) {
      expect(await read([text.slice(0, cut), text.slice(cut)])).toEqual(whole);
    }
  });

  it('leaves out an event that was cut off by the end', async () => {
    expect(await read(['data: whole\n\ndata: half\n'])).toEqual([
      { id: '', event: 'message', data: 'whole' },
    ]);
  });
});

async function read(chunks: string[]): Promise<StreamMessage[]> {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
      controller.close();
    },
  });
  const messages: StreamMessage[] = [];
  for await (const message of readEventStream(body)) messages.push(message);
  return messages;
}
