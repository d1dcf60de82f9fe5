import { type E164, parsePhoneNumber, WORLDWIDE_NUMBER_PATTERN } from '#lib/phone-number.ts';

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

/** A number however it is grouped, in E.164; undefined where it is none. */
export function readNumber(text: string): E164 | undefined {
  const digits = text.replace(GROUPING, '');
  return WORLDWIDE_NUMBER_PATTERN.test(digits) ? parsePhoneNumber(digits) : undefined;
}

/** The numbers of a pasted list, each once, and the pieces that are none. */
export function readNumbers(text: string): { numbers: E164[]; unreadable: string[] } {
  const numbers = new Set<E164>();
  const unreadable: string[] = [];
  for (const piece of text.split(BETWEEN).map((each) => each.replaceAll('"', '').trim())) {
    if (piece === '') continue;
    const number = readNumber(piece);
    if (number) numbers.add(number);
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
