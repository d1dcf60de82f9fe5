import { expect, it } from 'vitest';
import type { OverviewFigures } from '#lib/features/overview/contract.ts';
import {
  answerRate,
  changeOf,
  changeOfShare,
  minutesText,
  moneyText,
  periodName,
  positiveShare,
  rangeText,
  secondsText,
  shareText,
} from './wording.ts';

const FIGURES: OverviewFigures = {
  calls: 0,
  chats: 0,
  outbound: 0,
  reached: 0,
  minutes: 0,
  cost: 0,
  outcomes: {
    COMPLETED: 0,
    VOICEMAIL: 0,
    TRANSFERRED: 0,
    APPOINTMENT_BOOKED: 0,
    SCHEDULED_CALLBACK: 0,
    ABANDONED: 0,
    FAILED: 0,
  },
  sentiments: { POSITIVE: 0, NEUTRAL: 0, NEGATIVE: 0, N_A: 0 },
  answerTime: null,
};

it('a number beside none before it is new, not infinitely more', () => {
  expect(changeOf(5, 0)?.short).toBe('new');
  expect(changeOf(5, null)?.short).toBe('new');
  expect(changeOfShare(0.5, null)?.short).toBe('new');
  expect([changeOf(0, 0), changeOf(null, 3), changeOfShare(null, 0.5)]).toEqual([null, null, null]);
});

it('a change is told in signs, and in words for whoever hears it', () => {
  expect(changeOf(150, 100)).toEqual({
    short: '+50%',
    words: '50 percent more than before',
    direction: 'up',
  });
  expect(changeOf(0, 4)?.short).toBe('−100%');
  expect(changeOf(100, 100)?.short).toBe('unchanged');
  expect(changeOfShare(0.4, 0.5)?.words).toBe('10 percentage points less than before');
});

it('shares of nothing are no share', () => {
  expect([answerRate(FIGURES), positiveShare(FIGURES)]).toEqual([null, null]);
  expect(answerRate({ ...FIGURES, outbound: 4, reached: 3 })).toBe(0.75);
  const sentiments = { POSITIVE: 1, NEUTRAL: 1, NEGATIVE: 0, N_A: 7 };
  expect(positiveShare({ ...FIGURES, sentiments })).toBe(0.5);
  expect([shareText(null), secondsText(null)]).toEqual(['–', '–']);
});

it('numbers are as exact as they are of use', () => {
  expect([minutesText(12.34), minutesText(12_345.6)]).toEqual(['12.3 min', '12,346 min']);
  expect([moneyText(41), moneyText(123_456_789)]).toEqual(['$0.41', '$1,234,568']);
  expect([secondsText(654), secondsText(12_340)]).toEqual(['0.65 s', '12.3 s']);
});

it('periods have their name by the clock of the workspace, with plain spaces', () => {
  const week = { startsAt: '2026-11-01T23:00:00.000Z', endsAt: '2026-11-08T23:00:00.000Z' };
  expect(periodName(week, 'week', 'Europe/Berlin')).toBe('Nov 2 – 8');
  expect(periodName(week, 'day', 'Europe/Berlin')).toBe('Nov 2');
  expect(periodName(week, 'day', 'UTC')).toBe('Nov 1');
  expect(periodName(week, 'hour', 'Asia/Kolkata')).toBe('4 AM');
  expect(rangeText(week, 'Europe/Berlin')).toBe('Nov 2 – 8, 2026');
});
