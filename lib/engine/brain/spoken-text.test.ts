import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { de } from '#lib/engine/languages/de.ts';
import { splitSentences } from './sentences.ts';
import { createSpeechCollector } from './speech-collector.ts';
import { toSpokenText } from './spoken-text.ts';

/** What is spoken of an answer that arrives in parts of `size` characters. */
function speak(answer: string, size = 5): string[] {
  const collector = createSpeechCollector();
  const parts = answer.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? [];
  return [...parts.flatMap((part) => collector.push(part)), ...collector.flush()];
}

describe('sentences', () => {
  it('end at stops, not at abbreviations, numbers and times', () => {
    expect(splitSentences('Dr. Weber is in. It costs 3.50 euros! At 3 p.m. or later? Yes')).toEqual([
      'Dr. Weber is in.',
      'It costs 3.50 euros!',
      'At 3 p.m. or later?',
      'Yes',
    ]);
  });

  it('do not end at ordinals and abbreviations of other languages, and do at their own marks', () => {
    expect(splitSentences('Am 3. März, z. B. um 9 Uhr. Passt das?', 'de-AT')).toEqual([
      'Am 3. März, z. B. um 9 Uhr.',
      'Passt das?',
    ]);
    expect(splitSentences('你好。我可以帮您吗？')).toEqual(['你好。', '我可以帮您吗？']);
  });

  it('are cut at a clause or a word where none of them ends', () => {
    const pieces = splitSentences(`${'and so on, '.repeat(40)}${'word '.repeat(100)}`);
    expect(pieces.length).toBeGreaterThan(3);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(280);
    expect(pieces[0]).toMatch(/,$/);
  });
});

describe('spoken text', () => {
  it.each([
    ['**Bold** and _it_ and `code`', 'Bold and it and code'],
    ['See [our page](https://x.test/y)', 'See our page'],
    ['Visit https://www.example.test/ today', 'Visit example dot test today'],
    ['Book at https://example.com/book?from=mail.', 'Book at example dot com slash book.'],
    ['See https://example.com/a/path/that/nobody/could/remember', 'See example dot com'],
    ['Write to anna.smith@example.com!', 'Write to anna dot smith at example dot com!'],
    ['Hi {{name}}, welcome', 'Hi, welcome'],
    ['Great! 🎉👍🏽 :)', 'Great!'],
    ['2 * 3 = 6 and snake_case_name', '2 * 3 = 6 and snake_case_name'],
    ['<b>now</b>', 'now'],
    ['Tom & Jerry, 9–17 or 9:00-17:00', 'Tom and Jerry, 9 to 17 or 9:00 to 17:00'],
    ['Call +15550100001.', 'Call + 1 5, 5 5 0, 1 0 0, 0 0 1.'],
    ['On 2026-03-24 it costs 1250000.50 or 2.5', 'On March 24, 2026 it costs 1250000.50 or 2.5'],
    ['See this 【4†source】 and that [1].', 'See this and that.'],
  ])('%s', (text, spoken) => {
    expect(toSpokenText(text)).toBe(spoken);
  });

  it('spells addresses and dates in the language of the agent', () => {
    const german = { code: 'de-DE', lines: de };
    expect(toSpokenText('a.b@c-d.de bis 2026-03-24, 9–17 Uhr', german)).toBe(
      'a Punkt b ät c Bindestrich d Punkt de bis 24. März 2026, 9 bis 17 Uhr',
    );
  });

  it('says lists and tables line by line, and nothing of code, data and rules', () => {
    expect(speak('# Prices\n\n- one\n- *two*!\n\n1. first\n\n---\nDone')).toEqual([
      'Prices.',
      'one.',
      'two!',
      'first.',
      'Done.',
    ]);
    expect(speak('Hours:\n| Day | Hours |\n|:--|--:|\n| Mon | 9–17 |\n| Sun | |\nThat is it.')).toEqual([
      'Hours:',
      'Mon: 9 to 17.',
      'Sun.',
      'That is it.',
    ]);
    expect(speak('| What | Price | Time |\n|-|-|-|\n| Cut | **20 €** | 30 min |')).toEqual([
      'Cut: Price 20 €, Time 30 min.',
    ]);
    expect(speak('So:\n```js\nalert("x");\n```\n{"name": "end_call"}\nBye.')).toEqual(['So:', 'Bye.']);
  });

  it('gives a sentence as soon as the next one begins', () => {
    const collector = createSpeechCollector();
    expect(collector.push('We are open. ')).toEqual(['We are open.']);
    expect(collector.push('On Sundays we')).toEqual([]);
  });

  it('is the same however the text arrives', () => {
    const texts = fc.oneof(
      fc.lorem({ mode: 'sentences', maxCount: 5 }),
      fc
        .array(
          fc.constantFrom(
            '**a',
            'b** ',
            '| x | y |\n',
            '|--|--|\n',
            '- c\n',
            '```\n',
            '. ',
            '\n',
            '`d` ',
            '{"',
          ),
        )
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 9 }), (text, size) => {
        expect(speak(text, size)).toEqual(speak(text, 10_000));
      }),
    );
  });

  it('never holds a placeholder, whatever comes in', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        expect(toSpokenText(`${before} {{x}} ${after}`)).not.toContain('{{x}}');
      }),
    );
  });
});
