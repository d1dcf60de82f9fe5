import { describe, expect, it } from 'vitest';
import { isInShare } from '#lib/features/versions/rules.ts';
import { differenceOf, medianShares, wilsonInterval } from './rules.ts';

const IDS = Array.from({ length: 1_000 }, (_, index) => `cnv_${index}`);

describe('the share of a second version', () => {
  it('is what was asked for over a thousand conversations, within four standard deviations', () => {
    for (const percent of [1, 20, 50, 80, 99]) {
      const share = percent / 100;
      const held = IDS.filter((id) => isInShare(id, percent)).length;
      expect(Math.abs(held - 1_000 * share), `${percent} %`).toBeLessThan(
        4 * Math.sqrt(1_000 * share * (1 - share)),
      );
    }
  });

  it('has whoever a smaller one has', () => {
    const small = IDS.filter((id) => isInShare(id, 20));
    expect(small.filter((id) => !isInShare(id, 21))).toEqual([]);
  });
});

describe('a proportion', () => {
  it('has the interval of Wilson', () => {
    // Worked out by hand: 81 of 263, from Newcombe 1998, table I.
    const { low = 0, high = 0 } = wilsonInterval({ count: 81, of: 263 }) ?? {};
    expect([low.toFixed(4), high.toFixed(4)]).toEqual(['0.2553', '0.3662']);
    expect(wilsonInterval({ count: 0, of: 0 })).toBeNull();
  });

  it('differs from another one by the interval of Newcombe', () => {
    // Newcombe 1998, table II, method 10: 56 of 70 and 48 of 80.
    const difference = differenceOf({ count: 56, of: 70 }, { count: 48, of: 80 });
    expect(difference?.low.toFixed(4)).toBe('0.0524');
    expect(difference?.high.toFixed(4)).toBe('0.3339');
    expect(difference?.verdict).toBe('higher');
  });

  it.each([
    ['too few', { count: 5, of: 5 }, { count: 0, of: 5 }, 'too_few'],
    ['too few, as the bounds are far apart', { count: 12, of: 30 }, { count: 10, of: 30 }, 'too_few'],
    ['none to speak of', { count: 500, of: 1_000 }, { count: 505, of: 1_000 }, 'unclear'],
    ['lower', { count: 300, of: 1_000 }, { count: 500, of: 1_000 }, 'lower'],
  ])('and says %s', (_, one, other, verdict) => {
    expect(differenceOf(one, other)?.verdict).toBe(verdict);
  });

  it('differs from nothing by nothing', () => {
    expect(differenceOf({ count: 5, of: 50 }, { count: 0, of: 0 })).toBeNull();
  });
});

it('a median is known better the more there are', () => {
  expect(medianShares(100).low).toBeCloseTo(0.402, 3);
  expect(medianShares(10_000).low).toBeCloseTo(0.4902, 4);
  expect(medianShares(1)).toEqual({ low: 0, high: 1 });
});
