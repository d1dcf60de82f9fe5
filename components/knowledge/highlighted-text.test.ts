import { describe, expect, it } from 'vitest';
import { splitAtWords } from './highlighted-text.tsx';

const marked = (text: string, words: string[]) =>
  splitAtWords(text, words)
    .filter((part) => part.isMatch)
    .map((part) => part.text);

describe('highlighted words', () => {
  it('are marked where they begin a word, with their endings', () => {
    expect(marked('Cleaning costs 95 dollars; uncleaned teeth', ['clean'])).toEqual(['Cleaning']);
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
