import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSentenceCollector, splitSentences } from './sentences.ts';
import { toSpokenText } from './spoken-text.ts';

describe('sentences', () => {
  it('end at stops, not at abbreviations, numbers and times', () => {
    expect(splitSentences('Dr. Weber is in. It costs 3.50 euros! At 3 p.m. or later? Yes')).toEqual([
      'Dr. Weber is in.',
      'It costs 3.50 euros!',
      'At 3 p.m. or later?',
      'Yes',
    ]);
  });

  it('are the same however the text arrives', () => {
    fc.assert(
      fc.property(
        fc.lorem({ mode: 'sentences', maxCount: 5 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        (text, sizes) => {
          const collector = createSentenceCollector();
          const found: string[] = [];
          for (let at = 0, turn = 0; at < text.length; turn += 1) {
            const size = sizes[turn % sizes.length] ?? 1;
            found.push(...collector.push(text.slice(at, at + size)));
            at += size;
          }
          found.push(...collector.flush());
          expect(found).toEqual(splitSentences(text));
        },
      ),
    );
  });
});

describe('spoken text', () => {
  it.each([
    ['**Bold** and _it_ and `code`', 'Bold and it and code'],
    ['# Heading\n- one\n- two', 'Heading one two'],
    ['See [our page](https://x.test/y)', 'See our page'],
    ['Visit https://www.example.test/ today', 'Visit example.test today'],
    ['Hi {{name}}, welcome', 'Hi, welcome'],
    ['Great! 🎉👍', 'Great!'],
    ['2 * 3 = 6 and snake_case_name', '2 * 3 = 6 and snake_case_name'],
    ['```js\nalert(1)\n```', ''],
    ['<b>now</b>', 'now'],
  ])('%s', (text, spoken) => {
    expect(toSpokenText(text)).toBe(spoken);
  });

  it('never holds a placeholder, whatever comes in', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        expect(toSpokenText(`${before} {{x}} ${after}`)).not.toContain('{{x}}');
      }),
    );
  });
});
