import { expect, it } from 'vitest';
import { limitWords, reachWords } from './limit-words.ts';

const usage = (remainingMinutes: number | null) => ({
  month: '2026-11',
  resetsAt: '2026-12-01T00:00:00.000Z',
  usedMinutes: 0,
  reservedMinutes: 0,
  limitMinutes: remainingMinutes,
  remainingMinutes,
  refusesIncomingAtLimit: false,
});

it('says how far the minutes reach, and warns below a minute for each person', () => {
  expect(reachWords(usage(120), 50)).toMatchObject({
    isShort: false,
    words: expect.stringContaining("120 minutes are left of this month's limit, 2.4 min for each person."),
  });
  expect(reachWords(usage(10), 40)).toMatchObject({
    isShort: true,
    words: expect.stringContaining('15 s for each person. Where they are used up, the campaign pauses'),
  });
  expect(reachWords(usage(0.5), 2)?.words).toContain('nobody can be called');
  expect([reachWords(usage(null), 50), reachWords(usage(10), 0)]).toEqual([undefined, undefined]);
});

it('says whether incoming calls are taken', () => {
  expect(limitWords(usage(1))).toContain('Incoming calls are still taken');
  expect(limitWords({ refusesIncomingAtLimit: true })).toContain('outbound and incoming calls are refused');
});
