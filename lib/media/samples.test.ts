import { expect, it } from 'vitest';
import { createGatheredSamples } from './samples.ts';

const ramp = (length: number, first: number) => Int16Array.from({ length }, (_, index) => first + index);

it('keeps samples that are lent as they were, whatever the sizes of their pieces', () => {
  const gathered = createGatheredSamples();
  const lent = new Int16Array(320);
  const all: number[] = [];
  for (let frame = 0; frame < 120; frame += 1) {
    lent.set(ramp(320, frame));
    gathered.add(lent);
    all.push(...lent);
  }
  const long = ramp(40_000, -20_000);
  gathered.add(long);
  lent.fill(12_345);
  expect(gathered.all()).toEqual(Int16Array.from([...all, ...long]));
  gathered.clear();
  expect(gathered.all()).toHaveLength(0);
  gathered.add(ramp(7, 1));
  expect(gathered.all()).toEqual(ramp(7, 1));
});
