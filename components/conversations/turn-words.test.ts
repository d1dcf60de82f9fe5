import { describe, expect, it } from 'vitest';
import type { Turn } from '#lib/features/conversations/turns/contract.ts';
import { turnWords, wordAtOffset, wordIndexAt } from './turn-words.ts';

const turn: Turn = {
  seq: 1,
  speaker: 'agent',
  text: 'Hello  Anna, good day.',
  intendedText: null,
  startedMs: 2_000,
  endedMs: 4_000,
  interrupted: false,
  wordStartsMs: [0, 450, 1_200, 1_500],
  timings: null,
};

describe('the words of a turn', () => {
  it('have their places in the text and their times in the recording', () => {
    const words = turnWords(turn);
    expect(words.map(({ from, to }) => turn.text.slice(from, to))).toEqual([
      'Hello',
      'Anna,',
      'good',
      'day.',
    ]);
    expect(words.map(({ startMs }) => startMs)).toEqual([2_000, 2_450, 3_200, 3_500]);
  });

  it('lie in the turn by their letters where nobody knows their times, or those of another text', () => {
    for (const wordStartsMs of [null, [0, 100]]) {
      const starts = turnWords({ ...turn, wordStartsMs }).map(({ startMs }) => startMs);
      expect(starts).toHaveLength(4);
      expect(starts[0]).toBe(2_000);
      expect(starts.every((startMs, index) => index === 0 || startMs > (starts[index - 1] ?? 0))).toBe(true);
      expect(starts.at(-1)).toBeLessThan(4_000);
    }
  });

  it('are found by the moment and by the place in the text', () => {
    const words = turnWords(turn);
    expect([1_999, 2_000, 2_449, 2_450, 9_000].map((at) => wordIndexAt(words, at))).toEqual([-1, 0, 0, 1, 3]);
    expect([0, 4, 5, 7, 11, 99].map((offset) => wordAtOffset(words, offset)?.index)).toEqual([
      0, 0, 1, 1, 1, 3,
    ]);
  });
});
