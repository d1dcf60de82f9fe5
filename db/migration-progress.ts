import type { Logger } from 'drizzle-orm';
import { readJournal } from './migrations.ts';

/** How many migrations are done, of those that the database did not have. */
export type MigrationStep = { done: number; of: number };
export type OnMigration = (step: MigrationStep) => void;

/** How many migrations a database has not had yet, up to the one with the index `upTo`. */
export async function countPending(
  send: (text: string) => Promise<unknown[]>,
  upTo = Number.POSITIVE_INFINITY,
): Promise<number> {
  const [found] = await send("select to_regclass('drizzle.__drizzle_migrations') is not null as kept");
  const last = isRow(found) && found.kept === true ? await lastOf(send) : Number.NEGATIVE_INFINITY;
  const { entries } = await readJournal();
  return entries.filter(({ idx, when }) => idx <= upTo && when > last).length;
}

async function lastOf(send: (text: string) => Promise<unknown[]>): Promise<number> {
  const [row] = await send('select max(created_at)::float8 as last from drizzle.__drizzle_migrations');
  return isRow(row) && typeof row.last === 'number' ? row.last : Number.NEGATIVE_INFINITY;
}

function isRow(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Counts what drizzle's migrator has done by the statements that it logs: it tells of its progress in no other way. */
export function countMigrations(pending: number, onMigration: OnMigration | undefined): Logger {
  let done = 0;
  return {
    logQuery(statement) {
      if (!statement.startsWith('insert into "drizzle"."__drizzle_migrations"')) return;
      done += 1;
      onMigration?.({ done, of: pending });
    },
  };
}
