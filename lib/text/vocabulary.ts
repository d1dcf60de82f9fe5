import { writeFeatures } from './features.ts';
import { emptyTable, FREE, type HashTable, placeIn, put } from './hash-table.ts';
import { hashOfUnits } from './hash.ts';

/** A term, as the first `length` of its UTF-16 units. */
export type TermUnits = { units: Uint16Array; length: number };

/**
 * What is known of terms, by their numbers. In columns, because the 400 words of a chunk are spread over all of it: as
 * objects they were mostly fetched from outside the processor's cache: terms and vector took 0.19 ms a chunk, not 0.1.
 */
function emptyColumns() {
  return {
    /** As term blocks name them. */
    hash: new Int32Array(1_024),
    isStopWord: new Uint8Array(1_024),
    /** Where its features begin in `features`; they end where those of the next one begin. */
    firstFeature: new Uint32Array(1_024),
    /** How often the text counted last holds it. */
    count: new Uint32Array(1_024),
    features: new Uint16Array(8_192),
  };
}

export type TermColumns = ReturnType<typeof emptyColumns>;

/** Gives terms their numbers, and counts them in one text after the other. */
export function createVocabulary() {
  const terms = emptyColumns();
  let size = 0;
  /** One more than the numbers, by hash: of two terms with the same 32 bits the second counts as the first, as in term blocks. */
  let places: HashTable = emptyTable(2 ** 12);
  /** The terms of the text, each once, in its order. */
  let numbers = new Uint32Array(1_024);
  let length = 0;

  function learn(term: TermUnits, hash: number, isStopWord: boolean): number {
    const number = size;
    size += 1;
    writeTerm(terms, number, { ...term, hash, isStopWord });
    if (4 * size > places.length) growTable();
    return number;
  }

  function growTable(): void {
    places = emptyTable(2 * places.length);
    for (let number = 0; number < size; number++) {
      const hash = terms.hash[number] ?? 0;
      put(places, placeIn(places, hash, hash), hash, number + 1);
    }
  }

  function numberOf(term: TermUnits, isStopWord: boolean): number {
    const hash = hashOfUnits(term.units, term.length) | 0;
    const place = placeIn(places, hash, hash);
    const known = places[place + 1] ?? FREE;
    if (known !== FREE) return known - 1;
    put(places, place, hash, size + 1);
    return learn(term, hash, isStopWord);
  }

  function count(number: number): void {
    const before = terms.count[number] ?? 0;
    terms.count[number] = before + 1;
    if (before > 0) return;
    if (length === numbers.length) numbers = grown(numbers);
    numbers[length] = number;
    length += 1;
  }

  return {
    size: () => size,
    /** Counts a term and answers its number, a new one where it is not known. */
    countTerm(term: TermUnits, isStopWord: boolean): number {
      const number = numberOf(term, isStopWord);
      count(number);
      return number;
    },
    /** Counts the term that has this number. */
    count,
    startText(): void {
      for (let index = 0; index < length; index++) terms.count[numbers[index] ?? 0] = 0;
      length = 0;
    },
    counted: () => ({ numbers: numbers.subarray(0, length), terms }),
    /** Between two texts only: a term must have one number within a text. */
    forget(): void {
      // The last one first: then no search passes over a place that was emptied before.
      while (size > 0) {
        size -= 1;
        const hash = terms.hash[size] ?? 0;
        places[placeIn(places, hash, hash) + 1] = FREE;
      }
    },
  };
}

/** Puts a term behind those that the columns hold, which get longer where there is no room. */
function writeTerm(
  terms: TermColumns,
  number: number,
  { units, length, hash, isStopWord }: TermUnits & { hash: number; isStopWord: boolean },
): void {
  if (number + 1 === terms.hash.length) {
    terms.hash = grown(terms.hash);
    terms.isStopWord = grown(terms.isStopWord);
    terms.firstFeature = grown(terms.firstFeature);
    terms.count = grown(terms.count);
  }
  terms.hash[number] = hash;
  terms.isStopWord[number] = isStopWord ? 1 : 0;
  const from = number === 0 ? 0 : (terms.firstFeature[number] ?? 0);
  while (from + 1 + length > terms.features.length) terms.features = grown(terms.features);
  terms.firstFeature[number] = from;
  terms.firstFeature[number + 1] = writeFeatures(units, length, terms.features, from);
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
