import { describe, expect, it } from 'vitest';
import { createAsyncQueue } from './async-queue.ts';

async function readAll<T>(queue: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of queue) found.push(item);
  return found;
}

describe('the queue', () => {
  it('gives what went in, in order, to a reader that waits or comes later, until it is closed', async () => {
    const queue = createAsyncQueue<number>();
    queue.push(1);
    const reading = readAll(queue);
    await Promise.resolve();
    queue.push(2);
    queue.push(3);
    queue.close();
    queue.push(4);
    expect(await reading).toEqual([1, 2, 3]);
  });
});
