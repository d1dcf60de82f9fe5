import { describe, expect, it } from 'vitest';
import { conflictsOf } from './conflict.ts';

describe('what two people changed', () => {
  it('is a conflict only where both changed it, differently', () => {
    const base = { prompt: 'a', hints: 'a', name: 'a', tone: null };
    const mine = { prompt: 'mine', hints: 'a', name: 'same', tone: null };
    const theirs = { prompt: 'theirs', hints: 'theirs', name: 'same', tone: '' };
    expect(conflictsOf({ base, mine, theirs })).toEqual({
      merged: { hints: 'theirs', name: 'same' },
      both: [{ name: 'prompt', mine: 'mine', theirs: 'theirs' }],
    });
  });

  it('compares lists and records by what is in them', () => {
    const base = { hours: { from: '09:00', to: '17:00' } };
    const theirs = { hours: { to: '17:00', from: '09:00' } };
    expect(conflictsOf({ base, mine: base, theirs })).toEqual({ merged: {}, both: [] });
  });
});
