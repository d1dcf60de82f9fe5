import type { SQL } from 'drizzle-orm';
import type { Database, OpenDatabase } from './database.ts';
import { type EmbeddedPlace, openEmbedded } from './embedded.ts';
import { openPostgres, type PostgresPlace } from './postgres.ts';

export type { Database, OpenDatabase } from './database.ts';

/** Opens PostgreSQL at `databaseUrl`, or the embedded database in `dataDir`. */
export async function openDatabase(where: PostgresPlace | EmbeddedPlace): Promise<OpenDatabase> {
  return 'databaseUrl' in where ? openPostgres(where) : openEmbedded(where);
}

/** Runs hand-written SQL and returns its rows on either driver (they answer in different shapes). */
export async function queryRows<Row extends Record<string, unknown>>(
  db: Database,
  query: SQL,
): Promise<Row[]> {
  const result: unknown = await db.execute(query);
  if (Array.isArray(result)) return [...result] as Row[];
  return (result as { rows: Row[] }).rows;
}
