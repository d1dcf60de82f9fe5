import {
  type E164,
  type NumberCountry,
  parsePhoneNumber,
  readPhoneNumber,
  WORLDWIDE_NUMBER_PATTERN,
} from '#lib/phone-number.ts';

/** Who asked for it to be added: the person on a call, somebody in the dashboard, or another system by its key. */
export const OPT_OUT_SOURCES = ['call', 'person', 'api'] as const;

export const OPT_OUT_LIMITS = {
  /** Characters of a note. */
  note: 300,
  /** Numbers of one pasted list: more is a job for the API. */
  pasted: 20_000,
  /** Refused pieces of a pasted list that the answer names. */
  named: 20,
} as const;

/** What people group digits with. */
const GROUPING = /[\s()./\u00A0\u2010-\u2015-]/g;
/** What stands between two numbers of a list. Blanks group digits, so they separate nothing. */
const BETWEEN = /[\n\r,;\t|]+/;

type ReadOptOut = { ok: true; number: E164 } | { ok: false; fault: string };

/** A number however it is written, in E.164; without a country code it is one of `country`. A guess keeps a call from being placed, so it is taken. */
export function readNumber(text: string, country: NumberCountry | null): ReadOptOut {
  const read = readPhoneNumber(text, country);
  // Private networks have numbers that are on no plan and too short for one.
  const digits = text.replace(GROUPING, '');
  return !read.ok && WORLDWIDE_NUMBER_PATTERN.test(digits)
    ? { ok: true, number: parsePhoneNumber(digits) }
    : read;
}

/** The numbers of a pasted list, each once, and the pieces that are none. */
export function readNumbers(
  text: string,
  country: NumberCountry | null,
): { numbers: E164[]; unreadable: string[] } {
  const numbers = new Set<E164>();
  const unreadable: string[] = [];
  for (const piece of text.split(BETWEEN).map((each) => each.replaceAll('"', '').trim())) {
    if (piece === '') continue;
    const read = readNumber(piece, country);
    if (read.ok) numbers.add(read.number);
    else unreadable.push(piece);
  }
  return { numbers: [...numbers], unreadable };
}

/** Where a page of the list ended. */
export type OptOutPosition = { createdAt: Date; number: string };

export function writeCursor({ createdAt, number }: OptOutPosition): string {
  return `${createdAt.getTime()}.${number}`;
}

export const CURSOR_PATTERN = /^\d{1,14}\.\+\d{1,16}$/;

export function readCursor(cursor: string): OptOutPosition {
  const [at = '', number = ''] = cursor.split('.');
  return { createdAt: new Date(Number(at)), number };
}
