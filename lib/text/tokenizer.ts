import { HASH_START, hashStep } from './hash.ts';

// Scripts that put no spaces between words: pairs of characters stand in for words.
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const RUN = String.raw`${UNSPACED}\p{M}ー`;
const LETTER = String.raw`\p{L}\p{N}`;
const TOKEN = new RegExp(`[${RUN}]+|[${LETTER}](?:[${LETTER}\\p{M}_]|['’.](?=[${LETTER}]))*`, 'gu');
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');

/** Words, numbers, and runs of a script without spaces, in compatible form (NFKC) and lower case. */
export function tokensOf(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().match(TOKEN) ?? [];
}

/** The same stretches of the text as it was written. */
export function writtenTokens(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

export function isUnspaced(token: string): boolean {
  return IS_UNSPACED.test(token);
}

/** Told where tokens begin and end. */
type TokensFound = {
  /** `first` and `second` are two hashes of its units. */
  word(start: number, end: number, first: number, second: number): void;
  /** Nothing but digits, ASCII letters and dots, a digit among them; they stand in `units`. */
  code(start: number, end: number, units: Uint16Array): void;
};

/** The units of the text that is scanned, and zeros: reading them out of a string takes several times as long. */
let units = new Uint16Array(4_096);
let bytes = Buffer.from(units.buffer);

/**
 * Finds the tokens of `text` as written, without normalising it, which takes most of the time of `tokensOf`. Stops with
 * false at a character that, once normalised, might begin or end another token than as written (ligatures, fractions, emoji).
 */
export function scanTokens(text: string, found: TokensFound): boolean {
  const { length } = text;
  loadUnits(text);
  for (let start = 0; start < length;) {
    const kind = kindAt(start);
    if (kind & IRREGULAR) return false;
    if ((kind & (IN_RUN | IS_LETTER)) === 0) {
      start += 1;
      continue;
    }
    // An accent that belongs to no letter: with what stands before it, it may become one character that is in no token.
    if ((kind & (IN_RUN | IS_LETTER)) === IN_RUN) return false;
    const [goesOn, joins] = kind & IN_RUN ? [IN_RUN, 0] : [IS_INSIDE, JOINS];
    let first = HASH_START;
    let second = 0;
    let end = start;
    let next = kind;
    let kindsSeen = 0;
    do {
      kindsSeen |= next;
      const unit = units[end] ?? 0;
      first = hashStep(first, unit);
      second = (Math.imul(second, 31) + unit) | 0;
      end += 1;
      next = kindAt(end);
    } while (next & goesOn || (next & joins && kindAt(end + 1) & IS_LETTER));
    if ((kindsSeen & (IS_DIGIT | NO_CODE)) === IS_DIGIT) found.code(start, end, units);
    else found.word(start, end, first, second);
    start = end;
  }
  return true;
}

function loadUnits(text: string): void {
  if (units.length < text.length + 2) {
    units = new Uint16Array(2 * text.length);
    bytes = Buffer.from(units.buffer);
  }
  bytes.write(text, 'utf16le');
  units.fill(0, text.length, text.length + 2);
}

function kindAt(at: number): number {
  const unit = units[at] ?? 0;
  const kind = kinds[unit] ?? 0;
  return kind === 0 ? learn(unit) : kind;
}

// What a UTF-16 unit may be in TOKEN, as bits.
const KNOWN = 1;
const IN_RUN = 2;
const IS_LETTER = 4;
const IS_INSIDE = 8;
const JOINS = 16;
const IRREGULAR = 32;
const IS_DIGIT = 64;
const NO_CODE = 128;
/** What normalising must not change. */
const TOKEN_BITS = IN_RUN | IS_LETTER | IS_INSIDE | JOINS;

const RULES: [RegExp, number][] = [
  [new RegExp(`[${RUN}]`, 'u'), IN_RUN],
  [new RegExp(`[${LETTER}]`, 'u'), IS_LETTER],
  [new RegExp(`[${LETTER}\\p{M}_]`, 'u'), IS_INSIDE],
  [/['’.]/, JOINS],
  [/[0-9]/, IS_DIGIT],
  [/[^0-9A-Za-z.]/, NO_CODE],
];

/** Filled as units are met: a process that reads one document needs few of them. */
const kinds = new Uint8Array(0x1_0000);

function learn(unit: number): number {
  const written = String.fromCharCode(unit);
  const normal = written.normalize('NFKC').toLowerCase();
  const isRegular =
    normal.length === 1 && written.isWellFormed() && ((bitsOf(normal) ^ bitsOf(written)) & TOKEN_BITS) === 0;
  // In no token, so that the scan comes to a stop there.
  const kind = isRegular ? KNOWN | bitsOf(written) : IRREGULAR;
  kinds[unit] = kind;
  return kind;
}

function bitsOf(character: string): number {
  return RULES.reduce((bits, [rule, bit]) => (rule.test(character) ? bits | bit : bits), 0);
}
