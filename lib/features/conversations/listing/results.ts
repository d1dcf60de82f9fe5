import { type SQL, sql } from 'drizzle-orm';
import { readResultFilter, type ResultFilter } from '#lib/features/agents/results/rules.ts';
import type { CallFilter } from '../contract.ts';

/** The field that a filter asks for, and what its value is compared with. */
export function resultOf({ result }: CallFilter): ResultFilter | undefined {
  return result === undefined ? undefined : readResultFilter(result);
}

/** What is asked of the rows that conversations have for their results. */
export function yields(result: ResultFilter): SQL {
  const of = sql` and name = ${result.name} and type = ${result.type}`;
  if (result.is === 'empty') return sql`${of} and word is null and number is null`;
  if (result.is === 'filled') return sql`${of} and (word is not null or number is not null)`;
  if (result.is === 'word' || result.is === 'contains') {
    const wanted = sql`left(lower(${result.word}), 200)`;
    return result.is === 'word'
      ? sql`${of} and word = ${wanted}`
      : sql`${of} and strpos(word, ${wanted}) > 0`;
  }
  const sign = sql.raw({ equals: '=', greater: '>', less: '<' }[result.is]);
  return sql`${of} and word is null and number ${sign} ${result.number}::double precision`;
}
