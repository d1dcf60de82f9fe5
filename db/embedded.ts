import { constants } from 'node:fs';
import { cp } from 'node:fs/promises';
import { PGlite, types } from '@electric-sql/pglite';
import type { Filesystem } from '@electric-sql/pglite/basefs';
import { pg_trgm as trigrams } from '@electric-sql/pglite/contrib/pg_trgm';
import { vector } from '@electric-sql/pglite-pgvector';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import type { CopyInput, Database, OpenDatabase } from './database.ts';
import { lookRegularly } from './look-regularly.ts';
import { applyFunctions, EXTENSIONS, withMigrations } from './migrations.ts';
import { countMigrations, countPending } from './migration-progress.ts';
import { sharedBuffersMb } from './shared-buffers.ts';
import * as schema from './tables.ts';
import { keepVacuumed, vacuumNeglected } from './vacuum.ts';

export type EmbeddedPlace = {
  /** A folder, or `memory://`. */
  dataDir: string;
  /** The image of a database (`dumpDataDir`) that a new one starts from. */
  snapshot?: Blob;
  /** Holds the files, instead of `dataDir`. */
  fs?: Filesystem;
  /** Lines of `postgresql.conf` and arguments of `initdb`, added to the usual ones. */
  settings?: string[];
  initDbStartParams?: string[];
};

const SETTINGS = [
  // A new segment of its log is 16 MB of zeros otherwise, made in JavaScript: a third of what an upload writes.
  'wal_init_zero = off',
  // Whole pages in the log are for a loss of power in the middle of one, and it does not wait for the disk (`fsync`) anyway.
  'full_page_writes = off',
];

/** Opens the embedded database. Nobody else may have its folder open. */
export async function openEmbedded({
  dataDir,
  snapshot,
  fs,
  settings = [],
  initDbStartParams = [],
}: EmbeddedPlace): Promise<OpenDatabase & { pglite: PGlite }> {
  const buffers = `shared_buffers = ${await sharedBuffersMb(dataDir)}MB`;
  const pglite = await PGlite.create({
    ...(fs ? { fs } : { dataDir }),
    extensions: { vector, pg_trgm: trigrams },
    postgresqlconf: [...SETTINGS, buffers, ...settings],
    initDbStartParams,
    // Its own parser takes 100 ns a byte.
    parsers: { [types.BYTEA]: (hex: string) => Buffer.from(hex.slice(2), 'hex') },
    ...(snapshot ? { loadDataDir: snapshot } : {}),
  });
  const db = drizzle(pglite, { schema });
  const stopCheckpoints = makeCheckpoints(pglite);
  const stopVacuuming = keepVacuumed(pglite);
  return {
    db: db as unknown as Database,
    pglite,
    databaseUrl: undefined,
    copyIn: (copies) => copyIntoPglite(pglite, copies),
    listen: async () => {},
    async migrate({ upTo, onMigration } = {}) {
      await pglite.exec(EXTENSIONS);
      const pending = await countPending(async (text) => (await pglite.query(text)).rows, upTo);
      if (pending > 0) onMigration?.({ done: 0, of: pending });
      const watched = drizzle(pglite, { logger: countMigrations(pending, onMigration) });
      await withMigrations(upTo, (migrationsFolder) => migrate(watched, { migrationsFolder }));
      await vacuumNeglected(pglite);
      // Those of today may need columns that come later.
      if (upTo !== undefined) return;
      await applyFunctions(async (text) => (await pglite.exec(text)).at(-1)?.rows ?? []);
    },
    async close() {
      await stopVacuuming();
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
  async function look(): Promise<void> {
    const { rows } = await pglite.query<{ bytes: number }>(
      'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::float8 as bytes from pg_control_checkpoint()',
    );
    if ((rows[0]?.bytes ?? 0) > CHECKPOINT_BYTES) await pglite.exec('checkpoint');
  }

  return lookRegularly(LOOK_AT_LOG_EVERY_MS, look);
}

/**
 * Copies the database's files into a new folder, as they are at one moment: nobody is answered meanwhile. The copy is what a
 * database is that was killed at that moment, with nothing half written. Gives back the milliseconds.
 */
export async function copyDatabase(pglite: PGlite, dataDir: string, into: string): Promise<number> {
  // What is written beforehand needs not be repeated from the log when the copy is opened.
  await pglite.exec('checkpoint');
  return pglite.runExclusive(async () => {
    const begunAt = performance.now();
    // Where the file system can, the copy shares what both have in common until one of them changes it.
    await cp(dataDir, into, { recursive: true, mode: constants.COPYFILE_FICLONE });
    return Math.round(performance.now() - begunAt);
  });
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
