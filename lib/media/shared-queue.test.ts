import { expect, it } from 'vitest';
import { createSharedQueueMemory, readSharedQueue, writeSharedQueue } from './shared-queue.ts';

function open(capacity: number) {
  const memory = createSharedQueueMemory({ numbers: 2, samples: 3, capacity });
  const writer = writeSharedQueue(memory);
  const read = readSharedQueue(memory);
  const drain = () => {
    const entries: { numbers: number[]; samples: number[] }[] = [];
    read((numbers, samples) => entries.push({ numbers: [...numbers], samples: [...samples] }));
    return entries;
  };
  const write = (value: number) => writer.write([value, value / 2], Int16Array.of(value, value, value));
  return { memory, writer, write, drain };
}

const entryOf = (value: number) => ({ numbers: [value, value / 2], samples: [value, value, value] });

it('gives what was written, in order and once', () => {
  const { write, drain } = open(4);
  write(1);
  write(2);
  expect(drain()).toEqual([entryOf(1), entryOf(2)]);
  expect(drain()).toEqual([]);
  for (const value of [3, 4, 5, 6]) write(value);
  expect(drain()).toEqual([3, 4, 5, 6].map(entryOf));
});

it('keeps what finds no room, in order, though the writer uses its memory again', () => {
  const { writer, write, drain } = open(2);
  const samples = new Int16Array(3);
  for (const value of [1, 2, 3, 4, 5]) writer.write([value, value / 2], samples.fill(value));
  expect(writer.waiting()).toBe(3);
  expect(drain()).toEqual([1, 2].map(entryOf));
  write(6);
  expect(drain()).toEqual([3, 4].map(entryOf));
  write(7);
  expect(drain()).toEqual([5, 6].map(entryOf));
  write(8);
  expect(writer.waiting()).toBe(0);
  expect(drain()).toEqual([7, 8].map(entryOf));
});

it('goes on where its counts begin anew', () => {
  const { memory, write, drain } = open(4);
  new Int32Array(memory.counts).fill(2 ** 31 - 2);
  for (let value = 0; value < 12; value += 3) {
    for (const each of [value, value + 1, value + 2]) write(each);
    expect(drain()).toEqual([value, value + 1, value + 2].map(entryOf));
  }
  new Int32Array(memory.counts).fill(-2);
  for (const each of [1, 2, 3, 4]) write(each);
  expect(drain()).toEqual([1, 2, 3, 4].map(entryOf));
});
