import { type SQL, sql } from 'drizzle-orm';
import { searchedDigits } from '#lib/phone-number.ts';
import { containing, searchWords } from '../rules.ts';

/** As the index of parts of words has it (db/schema/calls.ts): a call of it that is written otherwise does not use it. */
const WORDS = sql.raw(
  'call_words(calls.transcript, calls.summary, calls.tags, calls.human_phone_number, calls.agent_phone_number)',
);
/** The same without who speaks. */
const SAID = sql.raw(
  "call_words(regexp_replace(calls.transcript, '^(Agent|Human): ', '', 'gn'), calls.summary, calls.tags, calls.human_phone_number, calls.agent_phone_number)",
);
const LABELS = ['agent: ', 'human: '];
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
  const conditions = words.map(
    (word) => sql`(${WORDS} ilike ${containing(word)}${saidCondition(word)} or calls.id = ${word})`,
  );
  const written = conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
  if (digits === null || digits === search.trim()) return sql` and (${written})`;
  const pattern = containing(digits);
  return sql` and ((${WORDS} ilike ${pattern} and (calls.human_phone_number ilike ${pattern} or calls.agent_phone_number ilike ${pattern}))
    or (${written}))`;
}

/**
 * A word that is part of a label, such as human, stands in every transcript. The index finds the rows; the labels are
 * taken out of what it found.
 */
function saidCondition(word: string): SQL {
  const isOfLabel = LABELS.some((label) => label.includes(word.toLowerCase()));
  return isOfLabel ? sql` and ${SAID} ilike ${containing(word)}` : sql``;
}
