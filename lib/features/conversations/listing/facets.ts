import { type SQL, sql } from 'drizzle-orm';
import { CHANNELS, DIRECTIONS, DISPOSITIONS, SENTIMENTS } from '#lib/ports/call-kinds.ts';
import type { CallFilter } from '../contract.ts';

type Facet = { column: 'is_test' | 'channel' | 'direction' | 'sentiment' | 'disposition'; value: string };

/** The parts of `call_facet`, in its order, each with all that it can say. */
const FACET_PARTS: readonly { column: Facet['column']; values: readonly string[] }[] = [
  { column: 'is_test', values: ['only', 'without'] },
  { column: 'channel', values: CHANNELS },
  { column: 'direction', values: DIRECTIONS },
  { column: 'sentiment', values: [...SENTIMENTS, '-'] },
  { column: 'disposition', values: [...DISPOSITIONS, '-'] },
];

export function facetsOf(filter: CallFilter): Facet[] {
  const { channel, direction, sentiment, disposition, tests } = filter;
  const given = { is_test: tests, channel, direction, sentiment, disposition };
  return FACET_PARTS.flatMap(({ column }) => {
    const value = given[column];
    return value === undefined ? [] : [{ column, value }];
  });
}

/** What a filter asks of rows of `calls`. */
export function withValues(filter: CallFilter): SQL {
  const conditions = facetsOf(filter).map(({ column, value }) =>
    column === 'is_test'
      ? sql` and is_test = ${value === 'only'}`
      : sql` and ${sql.identifier(column)} = ${value}`,
  );
  return sql.join(conditions);
}

/** PostgreSQL compares a row with each constant of a shorter list. */
const FEWEST_OF_A_HASH = 9;

/**
 * The same of a row with a `facet`: one look-up in a hash for each row (docs/decisions/0358). PostgreSQL makes the hash of
 * constants alone, so the list is a part of the text; nothing in it is what anybody typed.
 */
export function inFacet(filter: CallFilter): SQL {
  const wanted = new Map(facetsOf(filter).map(({ column, value }) => [column, value]));
  if (wanted.size === 0) return sql``;
  let facets = [''];
  for (const { column, values } of FACET_PARTS) {
    const taken = values.filter((value) => (wanted.get(column) ?? value) === value);
    facets = facets.flatMap((before) => taken.map((value) => (before ? `${before} ${value}` : value)));
  }
  const [some = ''] = facets;
  while (facets.length < FEWEST_OF_A_HASH) facets.push(some);
  return sql.raw(` and facet = any('{${facets.map((facet) => `"${facet}"`).join(',')}}'::text[])`);
}
