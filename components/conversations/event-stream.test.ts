import { expect, it } from 'vitest';
import { readEventData } from './event-stream.ts';

it('reads the data of events, cut anywhere, with comments between them and the last one broken off', async () => {
  const text =
    ': keep alive\n\nid: 7\nevent: turn\ndata: {"a":1,\ndata: "b":"zwölf"}\n\ndata: x\r\n\r\ndata: half';
  const bytes = new TextEncoder().encode(text);
  for (let cut = 1; cut < bytes.length; cut += 1) {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes.slice(0, cut));
        controller.enqueue(bytes.slice(cut));
        controller.close();
      },
    });
    const found: string[] = [];
    for await (const data of readEventData(body)) found.push(data);
    expect(found).toEqual(['{"a":1,\n"b":"zwölf"}', 'x']);
  }
});

it('lets go of the connection when nobody reads on', async () => {
  const letGo = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('data: again\n\n')),
    cancel: () => letGo.resolve(),
  });
  for await (const data of readEventData(body)) {
    expect(data).toBe('again');
    break;
  }
  await letGo.promise;
});
