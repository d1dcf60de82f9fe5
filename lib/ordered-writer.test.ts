import { expect, it } from 'vitest';
import { createOrderedWriter } from './ordered-writer.ts';

it('writes one after the other in the order of the posts, and flushes what was posted until then', async () => {
  const writer = createOrderedWriter({ maxWaiting: 10 });
  const slow = Promise.withResolvers<void>();
  const written: string[] = [];
  writer.post(async () => {
    await slow.promise;
    written.push('slow');
  });
  writer.post(async () => written.push('quick'));
  const flushed = writer.flush();
  await Promise.resolve();
  expect(written).toEqual([]);
  slow.resolve();
  await flushed;
  expect(written).toEqual(['slow', 'quick']);
  await writer.flush();
});

it('writes nothing after a failure, and tells of the first one', async () => {
  const writer = createOrderedWriter({ maxWaiting: 10 });
  const written: string[] = [];
  const fail = (message: string) => () => Promise.reject(new Error(message));
  writer.post(fail('first'));
  writer.post(async () => written.push('later'));
  writer.post(fail('second'));
  await expect(writer.flush()).rejects.toThrow('first');
  await expect(writer.flush()).rejects.toThrow('first');
  expect(writer.failed.reason).toMatchObject({ message: 'first' });
  expect(written).toEqual([]);
});

it('counts too many that wait as a failure, takes no more, and writes those that wait', async () => {
  const writer = createOrderedWriter({ maxWaiting: 2 });
  const slow = Promise.withResolvers<void>();
  const written: number[] = [];
  const post = (number: number) => writer.post(() => slow.promise.then(() => void written.push(number)));
  [1, 2].forEach(post);
  expect(writer.failed.aborted).toBe(false);
  [3, 4].forEach(post);
  expect(writer.failed.aborted).toBe(true);
  slow.resolve();
  await expect(writer.flush()).rejects.toThrow('2 writes wait');
  post(5);
  await expect(writer.flush()).rejects.toThrow('2 writes wait');
  expect(written).toEqual([1, 2]);
});
