import { expect, it } from 'vitest';
import { followWords, type WordsAfterTurn, wordsWithoutTurn } from './words-now.ts';

/** What is shown beside the turns after each look: the last words that are known, and the last turn of the person. */
function shown(looks: [text: string, lastSeq: number][]): string[] {
  let words: WordsAfterTurn | undefined;
  return looks.map(([text, lastSeq]) => {
    words = followWords(words, text, lastSeq);
    return wordsWithoutTurn(words, lastSeq);
  });
}

it('words are shown until their turn is there, also where nobody says that they are over', () => {
  expect(
    shown([
      ['', 0],
      ['I would', 0],
      ['I would like an appointment', 0],
      ['I would like an appointment', 2],
      ['On', 2],
      ['On Monday', 2],
      ['On Monday', 4],
    ]),
  ).toEqual(['', 'I would', 'I would like an appointment', '', 'On', 'On Monday', '']);
});

it('words that were withdrawn are not shown', () => {
  expect(
    shown([
      ['Hm', 0],
      ['', 0],
      ['', 2],
    ]),
  ).toEqual(['Hm', '', '']);
});
