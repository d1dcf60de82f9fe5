import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeholderMarks, segmentText } from './template-marks.ts';

describe('template marks', () => {
  it('draws an error over the placeholder it is in', () => {
    const text = 'a {{b}} c';
    const segments = segmentText(text, [...placeholderMarks(text), { start: 4, end: 5, kind: 'error' }]);
    expect(segments.map(({ text: part, kind }) => [part, kind])).toEqual([
      ['a ', 'plain'],
      ['{{', 'placeholder'],
      ['b', 'error'],
      ['}}', 'placeholder'],
      [' c', 'plain'],
    ]);
  });

  it('colours a choice whole, with the placeholders in it', () => {
    const text = 'You have {{count < 2 ? "one" : "{{count}} orders"}}, {{name}}';
    expect(placeholderMarks(text).map((mark) => text.slice(mark.start, mark.end))).toEqual([
      '{{count < 2 ? "one" : "{{count}} orders"}}',
      '{{name}}',
    ]);
  });

  it('never loses or adds a character', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(30), fc.nat(30), (text, from, length) => {
        const start = Math.min(from, text.length);
        const error = { start, end: Math.min(start + length, text.length), kind: 'error' } as const;
        const parts = segmentText(text, [...placeholderMarks(text), error]).map((segment) => segment.text);
        expect(parts.join('')).toBe(text);
      }),
    );
  });
});
