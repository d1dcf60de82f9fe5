import { writeFeatures } from './features.ts';
import { isStopWord, termHash, termsOf, termsOfToken } from './terms.ts';
import { scanTokens } from './tokens.ts';

/** The words of most collections; a text repeats its words, and looking one up is cheaper than working it out. */
const KEPT = 50_000;

/**
 * What is known of terms, by their numbers. In columns, because the 400 words of a chunk are spread over all of it: as
 * objects they were mostly fetched from outside the processor's cache: terms and vector took 0.19 ms a chunk, not 0.1.
 */
const terms = {
  hash: new Int32Array(1_024),
  isStopWord: new Uint8Array(1_024),
  /** Where its features begin in `features`; they end where those of the next one begin. */
  firstFeature: new Uint32Array(1_024),
  /** How often the text counted last holds it. */
  count: new Uint32Array(1_024),
  features: new Uint16Array(8_192),
};
let termCount = 0;

/**
 * Numbers of terms, in tables with open addressing: pairs of a check, and of the number and 2. Where most terms are
 * new, as in a long column of numbers, a map took 0.8 s of the time of 50 MB, and this 0.6.
 */
type Table = Int32Array<ArrayBuffer>;
const [FREE, NO_TERM, FIRST_TERM] = [0, 1, 2];
/** By tokens as they are written: one hash says where to look and another is the check; one in 10^9 is taken for another. */
const tokens: Table = new Int32Array(2 ** 18);
let tokenCount = 0;
/** By hash: of two terms with the same 32 bits the second counts as the first, as in term blocks. */
let hashes: Table = new Int32Array(2 ** 18);

/** Where what has this check stands, or would stand. */
function placeIn(table: Table, hash: number, check: number): number {
  const last = table.length - 2;
  let place = (2 * (hash ^ (hash >>> 15))) & last;
  while (table[place + 1] !== FREE && table[place] !== check) place = (place + 2) & last;
  return place;
}

export type CountedTerms = {
  /** The terms, each once, in the order of the text. */
  numbers: Uint32Array;
  /** What is known of them, by number. */
  terms: Readonly<typeof terms>;
};

let numbers = new Uint32Array(1_024);
let length = 0;

/** The terms of `text` and how often it holds each, until the next text is counted. */
export function countTerms(text: string): CountedTerms {
  startText();
  const isPlain = scanTokens(text, (start, end, first, second) => {
    const place = placeIn(tokens, first, second);
    const term = tokens[place + 1] ?? FREE;
    if (term >= FIRST_TERM) count(term - FIRST_TERM);
    else if (term === FREE) learnToken(text.slice(start, end), place, second);
  });
  if (!isPlain) {
    startText();
    for (const term of termsOf(text)) count(numberOf(term));
  }
  return { numbers: numbers.subarray(0, length), terms };
}

/** As term blocks name them. */
export function termHashes({ numbers, terms }: CountedTerms): Int32Array {
  const hashes = new Int32Array(numbers.length);
  for (let index = 0; index < numbers.length; index++) hashes[index] = terms.hash[numbers[index] ?? 0] ?? 0;
  return hashes;
}

function startText(): void {
  for (let index = 0; index < length; index++) terms.count[numbers[index] ?? 0] = 0;
  length = 0;
  // Only between two texts: a term must have one number within a text.
  if (termCount < KEPT && tokenCount < KEPT) return;
  termCount = 0;
  hashes.fill(FREE);
  tokenCount = 0;
  tokens.fill(FREE);
}

function count(number: number): void {
  const before = terms.count[number] ?? 0;
  terms.count[number] = before + 1;
  if (before > 0) return;
  if (length === numbers.length) numbers = grown(numbers);
  numbers[length] = number;
  length += 1;
}

function learnToken(token: string, place: number, second: number): void {
  const found = termsOfToken(token).map(numberOf);
  for (const number of found) count(number);
  // A run of a script without spaces is many terms, and hardly ever comes again; one text may have more than are kept.
  if (found.length > 1 || tokenCount === 2 * KEPT) return;
  tokenCount += 1;
  tokens[place] = second;
  tokens[place + 1] = found[0] === undefined ? NO_TERM : FIRST_TERM + found[0];
}

function numberOf(term: string): number {
  const hash = termHash(term);
  const place = placeIn(hashes, hash, hash);
  const known = hashes[place + 1] ?? FREE;
  if (known !== FREE) return known - FIRST_TERM;
  const number = termCount;
  termCount += 1;
  hashes[place] = hash;
  hashes[place + 1] = FIRST_TERM + number;
  if (termCount === terms.hash.length) {
    terms.hash = grown(terms.hash);
    terms.isStopWord = grown(terms.isStopWord);
    terms.firstFeature = grown(terms.firstFeature);
    terms.count = grown(terms.count);
  }
  terms.hash[number] = hash;
  terms.isStopWord[number] = isStopWord(term) ? 1 : 0;
  const from = number === 0 ? 0 : (terms.firstFeature[number] ?? 0);
  while (from + 1 + term.length > terms.features.length) terms.features = grown(terms.features);
  terms.firstFeature[number] = from;
  terms.firstFeature[number + 1] = writeFeatures(term, terms.features, from);
  // A single text may have more terms than are kept.
  if (4 * termCount > hashes.length) growHashes();
  return number;
}

function growHashes(): void {
  hashes = new Int32Array(2 * hashes.length);
  for (let number = 0; number < termCount; number++) {
    const hash = terms.hash[number] ?? 0;
    const place = placeIn(hashes, hash, hash);
    hashes[place] = hash;
    hashes[place + 1] = FIRST_TERM + number;
  }
}

type Column =
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>;

function grown<Of extends Column>(column: Of): Of {
  const larger = new (column.constructor as new (length: number) => Of)(column.length * 2);
  larger.set(column);
  return larger;
}
