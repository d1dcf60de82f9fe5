import { describe, expect, it } from 'vitest';
import { excerptOf, splitAtWords } from './word-highlights.ts';

const marked = (text: string, words: string[]) =>
  splitAtWords(text, words)
    .filter((part) => part.isMatch)
    .map((part) => part.text);

describe('highlighted words', () => {
  it('are marked where they begin a word, with their endings', () => {
    expect(marked('Cleaning costs 95 dollars; uncleaned teeth', ['clean'])).toEqual(['Cleaning']);
  });

  it('are marked anywhere where the search finds parts of words', () => {
    const parts = splitAtWords('Uncleaned teeth', ['clean', 'EE'], 'anywhere');
    expect(parts.filter((part) => part.isMatch).map((part) => part.text)).toEqual(['clean', 'ee']);
  });

  it('are plain text: their punctuation is no pattern', () => {
    expect(marked('Is C++ (or c#) spoken?', ['c++', '(or'])).toEqual(['C++', '(or']);
  });

  it('lose nothing of the text', () => {
    const text = 'Öffnungszeiten: montags, dienstags';
    expect(
      splitAtWords(text, ['öffnungszeiten', 'dienst'])
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  });
});

describe('the excerpt of a chunk', () => {
  const filler = 'Parking is free. '.repeat(40);

  it('begins shortly before a match that stands far down', () => {
    const excerpt = excerptOf(`${filler}Cleaning costs 95 dollars.`, ['clean']);
    expect(excerpt).toMatch(/^… /);
    expect(excerpt.indexOf('Cleaning')).toBeLessThan(130);
    expect(excerpt).toMatch(/95 dollars\.$/);
  });

  it('begins with the text where the match is near or absent, without empty lines', () => {
    expect(excerptOf('Prices\n\nCleaning costs 95 dollars.', ['clean'])).toBe(
      'Prices\nCleaning costs 95 dollars.',
    );
    expect(excerptOf(filler, [])).toBe(filler.trim());
  });
});
