import type { PGlite } from '@electric-sql/pglite';
import { lookRegularly } from './look-regularly.ts';

const LOOK_EVERY_MS = 300;
/** Rows that are gone, before their space is given back: a part of the table, within bounds. */
const LEAST_ROWS = 500;
const MOST_ROWS = 5_000;
const PART = 0.05;
/** A table of this size that was never vacuumed is one of an older release. */
const NEVER_VACUUMED_BYTES = 32 * 1024 * 1024;

type Dead = { place: string; dead: number; live: number };

const DEAD_ROWS = `
  select format('%I.%I', schemaname, relname) as place, n_dead_tup::int as dead, n_live_tup::int as live
  from pg_stat_user_tables where n_dead_tup >= ${LEAST_ROWS}`;

/**
 * Gives the space of deleted and changed rows back, as PostgreSQL's own autovacuum would, which the embedded database does not
 * have (docs/decisions/0246). A little after each some hundred rows: what a piece costs are the rows that are gone, not the
 * table.
 */
export function keepVacuumed(pglite: PGlite): () => Promise<void> {
  /** Rows that the last time left: they count again once there are more. */
  const left = new Map<string, number>();

  async function look(): Promise<void> {
    const { rows } = await pglite.query<Dead>(DEAD_ROWS);
    const [worst] = rows
      .filter(({ place, dead, live }) => dead - (left.get(place) ?? 0) >= rowsToVacuum(live))
      .toSorted((one, other) => other.dead - one.dead);
    if (!worst) return;
    await pglite.exec(`vacuum ${worst.place}`);
    const after = await pglite.query<Dead>(DEAD_ROWS);
    left.set(worst.place, after.rows.find(({ place }) => place === worst.place)?.dead ?? 0);
  }

  return lookRegularly(LOOK_EVERY_MS, look);
}

function rowsToVacuum(live: number): number {
  return Math.min(MOST_ROWS, LEAST_ROWS + live * PART);
}

/**
 * Gives back, once and before anybody is served, what a release without `keepVacuumed` left: gigabytes in one piece take a
 * minute, and what comes afterwards finds its pages marked as clean.
 */
export async function vacuumNeglected(pglite: PGlite): Promise<void> {
  const { rows } = await pglite.query<{ place: string }>(`
    select format('%I.%I', n.nspname, c.relname) as place
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'pgboss') and c.relallvisible = 0
      and pg_table_size(c.oid) > ${NEVER_VACUUMED_BYTES}`);
  for (const { place } of rows) await pglite.exec(`vacuum ${place}`);
}
