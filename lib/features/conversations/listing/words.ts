import { type SQL, sql } from 'drizzle-orm';
import { searchedDigits } from '#lib/phone-number.ts';
import { containing, searchWords } from '../rules.ts';

/** As the index of parts of words has it (db/schema/calls.ts): a call of it that is written otherwise does not use it. */
const WORDS = sql.raw(
  'call_words(calls.transcript, calls.summary, calls.tags, calls.human_phone_number, calls.agent_phone_number)',
);
/** The index knows parts of three characters. */
const INDEXED_CHARACTERS = /[\p{L}\p{N}]{3}/u;

/** Whether an index finds it. */
export function isSearchable(search: string | undefined): boolean {
  return searchWords(search).some((word) => INDEXED_CHARACTERS.test(word));
}

/** What a search asks of a row of `calls`: every word, somewhere; or a number, however it is grouped. */
export function matchesWords(search: string): SQL {
  const words = searchWords(search);
  const digits = searchedDigits(search);
  const conditions = words.map((word) => sql`(${WORDS} ilike ${containing(word)} or calls.id = ${word})`);
  const written = conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
  if (digits === null || digits === search.trim()) return sql` and (${written})`;
  const pattern = containing(digits);
  return sql` and ((${WORDS} ilike ${pattern} and (calls.human_phone_number ilike ${pattern} or calls.agent_phone_number ilike ${pattern}))
    or (${written}))`;
}
