import { openDatabase } from '#db/client.ts';
import { madeByMigrations } from '#db/migrations.ts';
import { openTables } from '#db/table-copy.ts';
import type { TableShape, TableStore } from '#db/table-shape.ts';
import { digested, digestOf, type Digest } from './backup-files.ts';
import { FILLING, isBeingFilled, isInstalled } from './installed.ts';

export type DatabasePlace = { databaseUrl: string } | { dataDir: string };

/** Throws where processes of the service work on the server, or it holds an installation that is to stay. */
export async function refuseUsed(store: TableStore, { replace }: { replace: boolean }): Promise<void> {
  const [row] = await store.query(`
    select count(*)::int as connected from pg_stat_activity
    where datname = current_database() and application_name in ('callwright', 'callwright-queue')`);
  if (Number(row?.connected) > 0)
    throw new Error('processes of the service are connected to this database: stop them first');
  if (!replace && (await isInstalled(store)) && !(await isBeingFilled(store)))
    throw new Error('this database holds an installation already');
}

/**
 * Removes every table and function of the service, and leaves a mark that keeps a service from starting on what is not whole yet.
 * Nothing else that lies in the database is touched.
 */
export async function beginFilling(store: TableStore): Promise<void> {
  await store.query(`create schema if not exists ${FILLING}`);
  const made = await madeByMigrations();
  for (const name of made.tables) await store.query(`drop table if exists public."${name}" cascade`);
  const functions = await store.query(
    `select oid::regprocedure::text as name from pg_proc
      where pronamespace = 'public'::regnamespace and proname in ('', ${made.functions.map((name) => `'${name}'`).join(', ')})`,
  );
  for (const { name } of functions) await store.query(`drop function if exists ${String(name)} cascade`);
  await store.query('drop schema if exists drizzle cascade');
  await store.query('drop schema if exists pgboss cascade');
}

export async function endFilling({ query }: Pick<TableStore, 'query'>): Promise<void> {
  await query(`drop schema if exists ${FILLING} cascade`);
}

/** Brings the schema to a migration (`upTo`), or to the last one. */
export async function migratePlace(place: DatabasePlace, upTo?: number): Promise<void> {
  const database = await openDatabase(place);
  try {
    await database.migrate({ upTo });
  } finally {
    await database.close();
  }
}

/** Opens tables for as long as `work` takes. */
export async function withTables<Result>(
  place: DatabasePlace,
  work: (store: TableStore) => Promise<Result>,
): Promise<Result> {
  const store = await openTables(place);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Writes rows into an empty table; answers with what went in. */
export async function fillTable(
  store: TableStore,
  shape: TableShape,
  rows: AsyncIterable<Uint8Array>,
): Promise<Digest> {
  const counted = digested(rows);
  await store.write(shape, counted.body);
  return counted.digest();
}

/** Throws where the rows of a table, read again, are not those of `wanted`. */
export async function compareTable(
  store: TableStore,
  shape: TableShape,
  wanted: { sha256: string; rows: number },
): Promise<void> {
  const [counted] = await store.query(`select count(*)::int as rows from public."${shape.name}"`);
  if (Number(counted?.rows) !== wanted.rows)
    throw new Error(`${shape.name} has ${Number(counted?.rows)} rows where it should have ${wanted.rows}`);
  if ((await digestOf(store.read(shape))).sha256 !== wanted.sha256)
    throw new Error(`${shape.name} holds other rows than were copied`);
}
