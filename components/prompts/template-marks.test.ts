import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorMark, offsetOf, placeholderMarks, segmentText } from './template-marks.ts';

describe('template marks', () => {
  it('finds the offset of a line and column', () => {
    expect(offsetOf('one\ntwo {{x', { line: 2, column: 5 })).toBe(8);
    expect(offsetOf('one', { line: 9, column: 9 })).toBe(3);
  });

  it('underlines a broken placeholder up to its closing braces', () => {
    const text = 'Hello {{na me}}, bye';
    const mark = errorMark(text, { line: 1, column: 7 });
    expect(text.slice(mark.start, mark.end)).toBe('{{na me}}');
  });

  it('still underlines something when the error is at the end of the text', () => {
    const mark = errorMark('Hello {{name', { line: 1, column: 13 });
    expect(mark.end - mark.start).toBe(1);
  });

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
      fc.property(fc.string(), fc.nat(30), fc.nat(30), (text, line, column) => {
        const marks = [...placeholderMarks(text), errorMark(text, { line: line + 1, column: column + 1 })];
        expect(
          segmentText(text, marks)
            .map((segment) => segment.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });
});
