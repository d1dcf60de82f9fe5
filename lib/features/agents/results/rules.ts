export const FIELD_TYPES = ['text', 'number', 'yes_no', 'date', 'choice'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** What an agent's conversations shall yield. `choices` is what a choice is among, and empty for other types. */
export type ResultField = { name: string; type: FieldType; question: string; choices: string[] };

/** A date is like 2026-03-24, a choice as it is spelled in the field; null is not known. */
export type ResultValue = string | number | boolean | null;
export type ResultQuote = { seq: number; speaker: 'agent' | 'human'; text: string };

/** What a conversation yielded for a field, which stays as it was then. */
export type Result = {
  name: string;
  type: FieldType;
  question: string;
  value: ResultValue;
  /** The words that it rests on, with their turns; empty where the value is null. */
  quotes: ResultQuote[];
  /** Why a value that may have been said is left out; absent where nobody can have said it. */
  dropped?: string;
};

export const RESULT_LIMITS = {
  fields: 50,
  name: 64,
  question: 500,
  choices: 30,
  choice: 100,
  text: 1000,
  quote: 500,
} as const;

/** The fields without a value, of a call on which nothing can have been said; null where there are none. */
export function emptyResults(fields: readonly ResultField[]): Result[] | null {
  if (fields.length === 0) return null;
  return fields.map(({ name, type, question }) => ({ name, type, question, value: null, quotes: [] }));
}

export const RESULT_COMPARISONS = ['equals', 'contains', 'greater', 'less', 'empty', 'filled'] as const;

/** What is asked of a result: a number, the days since 1970 and 0 or 1 for no and yes; or a text. */
export type ResultFilter = { name: string; type: FieldType } & (
  | { is: 'empty' }
  | { is: 'filled' }
  | { is: 'equals' | 'greater' | 'less'; number: number }
  | { is: 'word'; word: string }
  | { is: 'contains'; word: string }
);

/**
 * Reads `guests:number:greater:4`, `paid:yes_no:equals:yes`, `until:date:less:2026-03-24`, `comment:text:contains:late`,
 * `comment:text:empty`.
 * Undefined where the type has no such comparison or the value is none of it.
 */
export function readResultFilter(text: string): ResultFilter | undefined {
  const [, name = '', type = '', is = '', value] = /^([a-z]\w*):(\w+):(\w+)(?::(.*))?$/s.exec(text) ?? [];
  if (!isOneOf(FIELD_TYPES, type) || !isOneOf(RESULT_COMPARISONS, is)) return undefined;
  if (is === 'empty' || is === 'filled') return value === undefined ? { name, type, is } : undefined;
  if (value === undefined || value.trim() === '') return undefined;
  if (type === 'text' || type === 'choice') {
    if (is === 'contains' && type === 'text') return { name, type, is, word: value.trim() };
    return is === 'equals' ? { name, type, is: 'word', word: value.trim() } : undefined;
  }
  if (is === 'contains') return undefined;
  if (type === 'yes_no' && is !== 'equals') return undefined;
  const number = comparedNumber(type, value.trim());
  return number === undefined ? undefined : { name, type, is, number };
}

const DAY_MS = 86_400_000;

function comparedNumber(type: 'number' | 'yes_no' | 'date', value: string): number | undefined {
  if (type === 'yes_no') return value === 'yes' ? 1 : value === 'no' ? 0 : undefined;
  if (type === 'date') return isDate(value) ? Date.parse(value) / DAY_MS : undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** A day of the calendar, like 2026-03-24. */
export function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const at = new Date(`${value}T00:00:00.000Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value);
}

function isOneOf<const Values extends readonly string[]>(
  values: Values,
  value: string,
): value is Values[number] {
  return values.includes(value);
}

/** Results as answers and webhooks give them, by name. */
export type ShownResults = Record<
  string,
  { type: FieldType; value: ResultValue; quotes: Omit<ResultQuote, 'seq'>[] }
>;

/** null where the agent had no fields. */
export function shownResults(results: readonly Result[] | null): ShownResults | undefined {
  if (results === null) return undefined;
  return Object.fromEntries(
    results.map(({ name, type, value, quotes }) => [
      name,
      { type, value, quotes: quotes.map(({ speaker, text }) => ({ speaker, text })) },
    ]),
  );
}
