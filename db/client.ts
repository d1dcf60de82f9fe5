import type { SQL } from 'drizzle-orm';
import type { Database, OpenDatabase } from './database.ts';
import { type EmbeddedPlace, openEmbedded } from './embedded.ts';
import { ensureCluster } from './new-cluster.ts';
import { openPostgres, type PostgresPlace } from './postgres.ts';

export type { Database, OpenDatabase } from './database.ts';

/** Opens PostgreSQL at `databaseUrl`, or the embedded database in `dataDir`. */
export async function openDatabase(where: PostgresPlace | EmbeddedPlace): Promise<OpenDatabase> {
  if ('databaseUrl' in where) return openPostgres(where);
  // What is in memory, or copied from an image, is made where it is opened.
  if (!where.fs && !where.snapshot && !where.dataDir.startsWith('memory://'))
    await ensureCluster(where.dataDir);
  return openEmbedded(where);
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
