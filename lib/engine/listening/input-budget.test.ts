import { describe, expect, it } from 'vitest';
import type { ControlEvent } from '#lib/ports/carrier.ts';
import { createInputBudget } from './input-budget.ts';

function budget() {
  let nowMs = 0;
  const { take } = createInputBudget({ nowMs: () => nowMs });
  const typed = (text = 'Hello'): ControlEvent => ({ type: 'text', atMs: nowMs, text, state: 'typed' });
  const interim = (): ControlEvent => ({ type: 'text', atMs: nowMs, text: 'Hel', state: 'interim' });
  const digit = (): ControlEvent => ({ type: 'digit', atMs: nowMs, digit: '5' });
  const pass = (ms: number) => (nowMs += ms);
  const takeMany = (count: number, next: () => ControlEvent) =>
    Array.from({ length: count }, () => take(next()));
  return { take, takeMany, typed, interim, digit, pass };
}

describe('what a call takes besides its sound', () => {
  it('takes a number that is entered at once, and what people write for an hour', () => {
    const { takeMany, typed, digit, pass } = budget();
    expect(new Set(takeMany(16, digit))).toEqual(new Set(['taken']));
    for (let minute = 0; minute < 60; minute += 1) {
      pass(60_000);
      expect(new Set(takeMany(12, () => typed('I would like to come in the morning.')))).toEqual(
        new Set(['taken']),
      );
    }
  });

  it('drops what comes faster than anybody writes, takes more a moment later, and ends the call of who goes on', () => {
    const { take, takeMany, typed, pass } = budget();
    const decisions = takeMany(60, typed);
    expect(decisions.filter((decision) => decision === 'taken')).toHaveLength(40);
    expect(decisions.at(-1)).toBe('dropped');
    pass(1_000);
    expect(takeMany(5, typed)).toEqual(['taken', 'taken', 'taken', 'taken', 'dropped']);
    expect(takeMany(200, typed).at(-1)).toBe('exceeded');
    pass(10_000);
    expect(take(typed())).toBe('taken');
  });

  it('passes over words so far that come too fast, and counts them for nothing', () => {
    const { takeMany, interim, typed } = budget();
    expect(new Set(takeMany(1_000, interim).slice(40))).toEqual(new Set(['skipped']));
    expect(takeMany(1, typed)).toEqual(['taken']);
  });

  it('ends a call that has had more turns, or more text, than a conversation has', () => {
    const slow = (next: ControlEvent) => {
      const { take, pass } = budget();
      for (let count = 1; count < 10_000; count += 1) {
        pass(1_000);
        if (take(next) === 'exceeded') return count;
      }
      return undefined;
    };
    expect(slow({ type: 'digit', atMs: 0, digit: '1' })).toBe(4_001);
    expect(slow({ type: 'text', atMs: 0, text: 'x'.repeat(2_000), state: 'typed' })).toBe(201);
  });

  it('lets signalling through whatever else came', () => {
    const { take, takeMany, typed } = budget();
    takeMany(500, typed);
    expect(take({ type: 'hangup', atMs: 0, by: 'human' })).toBe('taken');
  });
});
