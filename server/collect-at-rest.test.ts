import { expect, it } from 'vitest';
import { createRest } from './collect-at-rest.ts';

/** Which of the looks are the moment to collect. `'busy'`: a call runs. */
function momentsOf(looks: readonly (number | 'busy')[]): number[] {
  const isMoment = createRest({ looks: 3, again: 4, most: 0.1 });
  return looks.flatMap((look, index) =>
    isMoment(look === 'busy' ? 0.01 : look, look === 'busy') ? [index] : [],
  );
}

it('collects in each rest', () => {
  expect(momentsOf([0.9, 0.02, 0.02, 0.02, 0.02, 0.02, 0.5, 0.02, 0.1, 0.02])).toEqual([3, 9]);
});

it('collects again after a while, as long as nothing happens', () => {
  expect(momentsOf([0.9, ...Array.from({ length: 12 }, () => 0.02)])).toEqual([3, 7, 11]);
});

it('collects after a start that nobody used', () => {
  expect(momentsOf([0.02, 0.02, 0.02, 0.02])).toEqual([2]);
});

it('never collects while a call runs, however little it takes', () => {
  expect(momentsOf(['busy', 'busy', 'busy', 'busy', 0.02, 0.02, 'busy', 0.02, 0.02])).toEqual([]);
});
