import type { PGlite } from '@electric-sql/pglite';
import type { Filesystem } from '@electric-sql/pglite/basefs';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import type { CopyInput, Database, OpenDatabase } from './database.ts';
import { isBeingCopied } from './copy-database.ts';
import { lookRegularly } from './look-regularly.ts';
import { applyFunctions, EXTENSIONS, refuseNewerDatabase, withMigrations } from './migrations.ts';
import { countMigrations, countPending } from './migration-progress.ts';
import { sharedBuffersMb } from './shared-buffers.ts';
import { type OnDead, openPglite } from './pglite.ts';
import { SyncedFilesystem } from './synced-files.ts';
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
  /** See `openPglite`. */
  onDead?: OnDead | undefined;
};

const IN_MEMORY = 'memory://';

const SETTINGS = [
  // A new segment of its log is 16 MB of zeros otherwise, made in JavaScript: a third of what an upload writes.
  'wal_init_zero = off',
  // The usual `fdatasync` never reaches the file system.
  'wal_sync_method = fsync',
];

/** Opens the embedded database. Nobody else may have its folder open. */
export async function openEmbedded({
  dataDir,
  snapshot,
  fs,
  settings = [],
  initDbStartParams = [],
  onDead,
}: EmbeddedPlace): Promise<OpenDatabase & { pglite: PGlite }> {
  const buffers = `shared_buffers = ${await sharedBuffersMb(dataDir)}MB`;
  const files = fs ?? (dataDir.startsWith(IN_MEMORY) ? undefined : new SyncedFilesystem(dataDir));
  const pglite = await openPglite(
    {
      where: dataDir,
      ...(files ? { fs: files } : { dataDir }),
      postgresqlconf: [...SETTINGS, buffers, ...settings],
      initDbStartParams,
      ...(snapshot ? { loadDataDir: snapshot } : {}),
    },
    onDead,
  );
  const db = drizzle(pglite, { schema });
  const stopCheckpoints = makeCheckpoints(pglite);
  const stopVacuuming = keepVacuumed(pglite);
  return {
    db: db as unknown as Database,
    pglite,
    databaseUrl: undefined,
    copyIn: (copies) => copyIntoPglite(pglite, copies),
    listen: async () => {},
    ready: async () => void (await pglite.query('select 1')),
    async migrate({ upTo, onMigration } = {}) {
      await refuseNewerDatabase(async (text) => (await pglite.exec(text)).at(-1)?.rows ?? []);
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
 * Of the log between two checkpoints. What one costs are the files and pages that changed, and after each of them the log
 * gets every page that changes once more as a whole (docs/decisions/0366).
 */
const CHECKPOINT_BYTES = 4 * 1024 * 1024;

/**
 * The embedded database makes none of its own while it runs: its log would grow for as long as it does, and a start after a
 * crash repeat all of it (5 GB after eighteen documents of 50 MB; the start took 30 s). Nor does it bring to the disk what
 * did not wait for it (`mayBeLost`).
 */
function makeCheckpoints(pglite: PGlite): () => Promise<void> {
  async function look(): Promise<void> {
    const { rows } = await pglite.query<{ bytes: number; waits: boolean }>(
      `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::float8 as bytes,
        pg_current_wal_insert_lsn() > pg_current_wal_flush_lsn() as waits from pg_control_checkpoint()`,
    );
    const [log] = rows;
    if ((log?.bytes ?? 0) > CHECKPOINT_BYTES && !isBeingCopied(pglite)) await pglite.exec('checkpoint');
    else if (log?.waits) await pglite.exec("select pg_logical_emit_message(false, '', '', true)");
  }

  return lookRegularly(LOOK_AT_LOG_EVERY_MS, look);
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
