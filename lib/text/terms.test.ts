import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LEXICAL_DIMENSIONS } from './features.ts';
import { lexicalVector } from './lexical-vector.ts';
import { matchedWords, queryTerms, termHash, termsOf } from './terms.ts';
import { countTerms, termHashes } from './counted-terms.ts';

it('brings forms of a word to one term', () => {
  expect(termsOf('opening opens opened open')).toEqual(['open', 'open', 'open', 'open']);
  expect(termsOf('Prices price')).toEqual(['pric', 'pric']);
  expect(termsOf("Anna's Café")).toEqual(['anna', 'cafe']);
});

it('gives no empty term for accents without a letter', () => {
  expect(queryTerms('\u{1d15f} \u0301 __ ._.')).not.toContain('');
});

it('keeps numbers whole', () => {
  expect(termsOf('3.5% of 240')).toEqual(['3.5', 'of', '240']);
});

it('takes pairs of characters where a script has no spaces', () => {
  expect(termsOf('東京都')).toEqual(['東京', '京都']);
});

it('drops words that say nothing from a question, unless it has no others', () => {
  expect(queryTerms('When do you open on Sundays?')).toEqual(['open', 'sunday']);
  expect(queryTerms('what is it')).toEqual(['what', 'is', 'it']);
});

it('shows the matched words as they are written', () => {
  expect(matchedWords('We OPENED the new prices list', queryTerms('opening price'))).toEqual([
    'OPENED',
    'prices',
  ]);
});

it('gives vectors of unit length, also for a text without words', () => {
  for (const text of ['hello world', '', '?!', 'x'.repeat(10_000)]) {
    const vector = lexicalVector(text);
    expect(vector).toHaveLength(LEXICAL_DIMENSIONS);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
  }
});

it('is nearer to a text that shares words than to one that does not', () => {
  const cosine = (left: string, right: string) => {
    const other = lexicalVector(right);
    return lexicalVector(left).reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
  };
  const question = 'What are your opening hours on Sunday?';
  expect(cosine(question, 'We open at nine on Sundays.')).toBeGreaterThan(
    2 * cosine(question, 'A whitening takes an hour and costs 240 euros.'),
  );
  expect(cosine('appointment', 'apointment')).toBeGreaterThan(0.15);
});

it('counts the terms of any text as they are listed', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.string({ unit: 'binary', maxLength: 6 }),
    // Mostly what normalising changes.
    fc.integer({ min: 0xa0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    // More words than are kept, and codes.
    fc.nat({ max: 90_000 }).map((number) => `w${lettersOf(number)}`),
    fc.nat().map((number) => number.toString(36).toUpperCase()),
    fc.constantFrom(
      'Anna’s',
      "l'été",
      '3.5',
      '12',
      '１２',
      "1'2",
      'A12.b',
      '1_2',
      '12'.repeat(30),
      `${'a'.repeat(45)}1`,
      'a.b.',
      'e\u0301',
      '東京タワー',
      'ไทย',
      'x_y',
      'm²',
      'ﬁn',
      '…',
      'ＡＢ',
      'İ',
      'À⅐',
      '\u2190\u0338㐀',
      '한국',
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.constantFrom('', ' ', '.'), (pieces, between) => {
      const text = pieces.join(between);
      expect(countsOf(text)).toEqual(expectedCounts(text));
      expect(termHashes(countTerms(text))).toHaveLength(countsOf(text).size);
    }),
    { numRuns: 3_000 },
  );
});

it('forgets words when there are very many, and counts on', () => {
  for (const suffix of [lettersOf, String]) {
    const many = Array.from({ length: 60_000 }, (_, index) => `word${suffix(index)}`);
    const text = many.join(' ');
    expect(countsOf(text)).toEqual(expectedCounts(text));
    const few = `${many[7]} ${many[7]} ${many[59_999]}`;
    expect(countsOf(few)).toEqual(expectedCounts(few));
  }
});

/** How often `text` holds each term, as counted. */
function countsOf(text: string): Map<number, number> {
  return new Map(
    countTerms(text).flatMap(({ numbers, terms }) =>
      [...numbers].map((number): [number, number] => [
        terms.hash[number] ?? Number.NaN,
        terms.count[number] ?? Number.NaN,
      ]),
    ),
  );
}

/** The same by listing them. */
function expectedCounts(text: string): Map<number, number> {
  const counts = new Map<number, number>();
  for (const term of termsOf(text)) counts.set(termHash(term), (counts.get(termHash(term)) ?? 0) + 1);
  return counts;
}

/** A number as letters. */
function lettersOf(number: number): string {
  return number.toString().replace(/\d/g, (digit) => 'qwertzuiop'[Number(digit)] ?? '');
}
