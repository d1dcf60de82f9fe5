import { emptyTable, FREE, placeIn, put } from './hash-table.ts';
import { isStopWord, MAX_TERM_LENGTH, termsOf, termsOfToken } from './terms.ts';
import { scanTokens } from './tokenizer.ts';
import { createVocabulary, type TermColumns } from './vocabulary.ts';

/** The words of most collections; a text repeats its words, and looking one up is cheaper than working it out. */
const KEPT = 50_000;
const words = createVocabulary();
/**
 * Numbers, and letters with digits among them, are forgotten with the text: a table may hold millions. Worked out and kept
 * like words, they took a third to a half of the time for its terms and vectors.
 */
const codes = createVocabulary();

/** Tokens as they are written: one hash says where to look and another is the check; one in 10^9 is taken for another. */
const tokens = emptyTable(2 ** 18);
/** What stands in it: a token without a term, or the number of its term and this. */
const [NO_TERM, FIRST_TERM] = [1, 2];
let tokenCount = 0;

const term = { units: new Uint16Array(MAX_TERM_LENGTH), length: 0 };

/** The terms of a text, each once: those that `numbers` says, in these columns. Two sets, with no term in both. */
export type CountedTerms = readonly { numbers: Uint32Array; terms: Readonly<TermColumns> }[];

/** The terms of `text` and how often it holds each, until the next text is counted. */
export function countTerms(text: string): CountedTerms {
  startText();
  const isPlain = scanTokens(text, {
    code(start, end, units) {
      if (end - start > MAX_TERM_LENGTH) learnToken(text.slice(start, end));
      else {
        for (let at = start; at < end; at++) term.units[at - start] = lowerCase(units[at] ?? 0);
        term.length = end - start;
        codes.countTerm(term, false);
      }
    },
    word(start, end, first, second) {
      const place = placeIn(tokens, first, second);
      const known = tokens[place + 1] ?? FREE;
      if (known >= FIRST_TERM) words.count(known - FIRST_TERM);
      else if (known === FREE) {
        const number = learnToken(text.slice(start, end));
        // One text may have more than are kept.
        if (number === undefined || tokenCount === 2 * KEPT) return;
        tokenCount += 1;
        put(tokens, place, second, number);
      }
    },
  });
  if (!isPlain) {
    startText();
    for (const each of termsOf(text)) countTerm(each);
  }
  return [words.counted(), codes.counted()];
}

/** As term blocks name them. */
export function termHashes(counted: CountedTerms): Int32Array {
  const hashes = new Int32Array(counted.reduce((length, { numbers }) => length + numbers.length, 0));
  let at = 0;
  for (const { numbers, terms } of counted)
    for (const number of numbers) hashes[at++] = terms.hash[number] ?? 0;
  return hashes;
}

function startText(): void {
  codes.startText();
  codes.forget();
  words.startText();
  if (words.size() < KEPT && tokenCount < KEPT) return;
  words.forget();
  tokenCount = 0;
  tokens.fill(FREE);
}

/** Counts the terms of a token that is met for the first time, and answers what `tokens` is to say of it, if anything. */
function learnToken(token: string): number | undefined {
  const found = termsOfToken(token);
  if (found.length === 0) return NO_TERM;
  const numbers = found.map(countTerm);
  const [number] = numbers;
  // A run of a script without spaces is many terms, and hardly ever comes again.
  return numbers.length > 1 || number === undefined ? undefined : FIRST_TERM + number;
}

/** Answers the number of a word. */
function countTerm(text: string): number | undefined {
  for (let at = 0; at < text.length; at++) term.units[at] = text.charCodeAt(at);
  term.length = text.length;
  if (isCode(text)) {
    codes.countTerm(term, false);
    return undefined;
  }
  return words.countTerm(term, isStopWord(text));
}

/** What `scanTokens` calls one, once it is a term. */
function isCode(text: string): boolean {
  return /^[0-9a-z.]*$/.test(text) && /[0-9]/.test(text);
}

function lowerCase(unit: number): number {
  return unit >= 0x41 && unit <= 0x5a ? unit + 0x20 : unit;
}
