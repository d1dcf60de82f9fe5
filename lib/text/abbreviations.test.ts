import { describe, expect, it } from 'vitest';
import { splitSentences } from '#lib/engine/brain/sentences.ts';
import seen from './cases/sentences.json' with { type: 'json' };
import unseen from './cases/sentences-unseen.json' with { type: 'json' };

type Case = [language: string, text: string, sentences: number];

describe('a full stop behind an abbreviation', () => {
  it.each(seen as Case[])('ends a sentence only where one ends, %s: %s', (language, text, count) => {
    expect(splitSentences(text, language)).toHaveLength(count);
  });

  it('is told from a sentence’s end in most texts that the lists were not written with', () => {
    const wrong = (unseen as Case[]).filter(
      ([language, text, count]) => splitSentences(text, language).length !== count,
    );
    expect(wrong.length, JSON.stringify(wrong)).toBeLessThanOrEqual(2);
  });
});
