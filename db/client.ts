import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PGlite, types } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import type { SQL } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator';
import { drizzle as drizzlePostgres } from 'drizzle-orm/postgres-js';
import { migrate as migratePostgres } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';
import { keepPrepared } from './prepared.ts';
import * as schema from './tables.ts';

/** Either driver, or a transaction on it: repositories take this and do not know which. */
export type Database = PgDatabase<PgQueryResultHKT, typeof schema>;

/** A table with its columns, and rows in COPY's binary form. */
type CopyInput = { table: string; bytes: Uint8Array<ArrayBuffer> };

export type OpenDatabase = {
  db: Database;
  /** The embedded instance, for the queue's adapter; undefined on PostgreSQL. */
  pglite: PGlite | undefined;
  databaseUrl: string | undefined;
  /**
   * Runs `copy … from stdin with (format binary)` with these bytes, all in one transaction: vectors go in 7 times faster
   * than as text in an `insert` (0.6 ms instead of 4.5 a row, embedded). `table` is SQL: never user input.
   */
  copyIn(copies: CopyInput[]): Promise<void>;
  migrate(): Promise<void>;
  close(): Promise<void>;
};

const MIGRATIONS = new URL('../drizzle', import.meta.url).pathname;
const FUNCTIONS = new URL('./functions.sql', import.meta.url).pathname;

type EmbeddedPlace = {
  /** A folder, or `memory://`. */
  dataDir: string;
  /** The image of a database (`dumpDataDir`) that a new one starts from. */
  snapshot?: Blob;
  /** Lines of `postgresql.conf` and arguments of `initdb`, added to the usual ones. */
  settings?: string[];
  initDbStartParams?: string[];
};

/** Opens PostgreSQL at `databaseUrl`, or the embedded database in `dataDir`. */
export async function openDatabase(where: { databaseUrl: string } | EmbeddedPlace): Promise<OpenDatabase> {
  return 'databaseUrl' in where ? openPostgres(where.databaseUrl) : openPglite(where);
}

const SETTINGS = [
  // A new segment of its log is 16 MB of zeros otherwise, made in JavaScript: a third of what an upload writes.
  'wal_init_zero = off',
  // Whole pages in the log are for a loss of power in the middle of one, and it does not wait for the disk (`fsync`) anyway.
  'full_page_writes = off',
];

async function openPglite({
  dataDir,
  snapshot,
  settings = [],
  initDbStartParams = [],
}: EmbeddedPlace): Promise<OpenDatabase> {
  const pglite = await PGlite.create({
    dataDir,
    extensions: { vector },
    postgresqlconf: [...SETTINGS, ...settings],
    initDbStartParams,
    // Its own parser takes 100 ns a byte.
    parsers: { [types.BYTEA]: (hex: string) => Buffer.from(hex.slice(2), 'hex') },
    ...(snapshot ? { loadDataDir: snapshot } : {}),
  });
  const db = drizzlePglite(pglite, { schema });
  const stopCheckpoints = makeCheckpoints(pglite);
  return {
    db: db as unknown as Database,
    pglite,
    databaseUrl: undefined,
    copyIn: (copies) => copyIntoPglite(pglite, copies),
    async migrate() {
      await pglite.exec('create extension if not exists vector');
      await migratePglite(db, { migrationsFolder: MIGRATIONS });
      await pglite.exec(await readFile(FUNCTIONS, 'utf8'));
    },
    async close() {
      await stopCheckpoints();
      await pglite.close();
    },
  };
}

const LOOK_AT_LOG_EVERY_MS = 200;
/**
 * Of the log between two checkpoints. What one costs are the pages that changed: 25 ms five times a second while a large
 * document is written or deleted, 100 where the log of a deletion may have 4 MB, 170 after a whole document of 50 MB.
 */
const CHECKPOINT_BYTES = 512 * 1024;

/**
 * The embedded database makes none of its own while it runs: its log would grow for as long as it does, and a start after a
 * crash repeat all of it (5 GB after eighteen documents of 50 MB; the start took 30 s).
 */
function makeCheckpoints(pglite: PGlite): () => Promise<void> {
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    const { rows } = await pglite.query<{ bytes: number }>(
      'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::float8 as bytes from pg_control_checkpoint()',
    );
    if ((rows[0]?.bytes ?? 0) > CHECKPOINT_BYTES) await pglite.exec('checkpoint');
  }

  const timer = setInterval(() => {
    // A failure comes again where it matters: with the next statement of somebody who can tell of it.
    looking ??= look()
      .catch(() => {})
      .finally(() => {
        looking = undefined;
      });
  }, LOOK_AT_LOG_EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await looking;
  };
}

let copyFiles = 0;

/** From files in memory that are these bytes: its own `/dev/blob` copies them one by one, a fifth of the time. */
async function copyIntoPglite(pglite: PGlite, copies: CopyInput[]): Promise<void> {
  const { FS } = pglite.Module;
  const files = copies.map((copy) => ({ ...copy, path: `/tmp/rows-${(copyFiles += 1)}` }));
  try {
    for (const { path, bytes } of files) FS.writeFile(path, bytes, { canOwn: true });
    // Statements that are sent at once are one transaction.
    await pglite.exec(
      files.map(({ table, path }) => `copy ${table} from '${path}' with (format binary)`).join(';'),
    );
  } finally {
    for (const { path } of files) FS.unlink(path);
  }
}

async function openPostgres(databaseUrl: string): Promise<OpenDatabase> {
  const client = keepPrepared(postgres(databaseUrl, { max: 20, onnotice: () => {}, ...undelayed() }));
  const db = drizzlePostgres(client, { schema });
  return {
    db: db as unknown as Database,
    pglite: undefined,
    databaseUrl,
    async copyIn(copies) {
      await client.begin(async (transaction) => {
        for (const { table, bytes } of copies) {
          const copy = transaction.unsafe(`copy ${table} from stdin with (format binary)`);
          await pipeline([bytes], failingWith(copy, await copy.writable()));
        }
      });
    },
    async migrate() {
      // Several processes may start at once; one migrates, the others wait and find nothing to do.
      const one = postgres(databaseUrl, { max: 1, onnotice: () => {} });
      try {
        await one`select pg_advisory_lock(727274)`;
        await one.unsafe('create extension if not exists vector');
        await migratePostgres(drizzlePostgres(one), { migrationsFolder: MIGRATIONS });
        await one.unsafe(await readFile(FUNCTIONS, 'utf8'));
      } finally {
        await one.end();
      }
    },
    close: () => client.end({ timeout: 5 }),
  };
}

/**
 * The stream of a COPY, ended by the server's refusal of the rows. postgres.js (3.4) tells that only to the query, which
 * was answered when the stream was made, and the stream never finishes: an upload would wait for ever.
 */
function failingWith(query: object, stream: Writable): Writable {
  Object.assign(query, { reject: (error: Error) => stream.destroy(error) });
  return stream;
}

/**
 * Sockets that send small packets at once. postgres.js leaves Nagle's algorithm on, and the end of each COPY then waits
 * for the server's delayed acknowledgement: 48 ms instead of 4. Its types do not know the option.
 */
function undelayed() {
  let attempts = 0;
  return {
    socket(options: { host: string[]; port: number[]; path: string | false }): Socket {
      const at = attempts % options.host.length;
      attempts += 1;
      const [host, port] = [options.host[at], options.port[at] ?? 5432];
      const socket = options.path
        ? connect({ path: options.path })
        : connect({ port, ...(host === undefined ? {} : { host }), noDelay: true });
      // For TLS, which is checked against the name.
      return Object.assign(socket, { host, port });
    },
  };
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
