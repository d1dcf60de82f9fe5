import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { copyClosedDatabase, copyDatabase } from '#db/copy-database.ts';
import { DatabaseUnopenable } from '#db/pglite.ts';
import { openTables } from '#db/table-copy.ts';
import { describeError, type Logger } from '#lib/log.ts';
import type { Clock } from '#lib/ports/clock.ts';
import { syncPath } from '#lib/sync-to-disk.ts';
import { settleRestored } from './restored-calls.ts';

/** A copy of the embedded database, as it was at a moment. */
export type DatabaseCopy = { path: string; takenAt: Date };

const KEPT = 2;
const DRAFT = '.new-';
const RESTORE_COMMAND = 'npm run restore -- --newest-copy';

const databaseFolder = (dataDir: string) => join(dataDir, 'db');
const copiesFolder = (dataDir: string) => join(dataDir, 'copies');
const nameOf = (at: Date) => at.toISOString().replaceAll(':', '-');
const NAME = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3}Z)$/;

/** The whole copies of an installation's embedded database, the newest first. */
export async function listCopies(dataDir: string): Promise<DatabaseCopy[]> {
  const names = await readdir(copiesFolder(dataDir)).catch(() => []);
  return names
    .filter((name) => NAME.test(name))
    .toSorted()
    .toReversed()
    .map((name) => ({
      path: join(copiesFolder(dataDir), name),
      takenAt: new Date(name.replace(NAME, '$1:$2:$3')),
    }));
}

/**
 * Copies the running service's embedded database into its folder of copies, and removes all but the newest two. Throws
 * where the disk has no space for one more. Gives back the milliseconds in which nobody was answered.
 */
export async function takeCopy(pglite: PGlite, dataDir: string, clock: Clock): Promise<number> {
  const folder = copiesFolder(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeDrafts(folder);
  await refuseWithoutSpace(dataDir);
  const draft = join(folder, `${DRAFT}${process.pid}`);
  const stoodStillMs = await copyDatabase(pglite, databaseFolder(dataDir), draft);
  await rename(draft, join(folder, nameOf(clock.now())));
  await syncPath(folder);
  for (const { path } of (await listCopies(dataDir)).slice(KEPT)) await rm(path, { recursive: true });
  return stoodStillMs;
}

async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.startsWith(DRAFT)) await rm(join(folder, name), { recursive: true, force: true });
}

/** Half of what is free stays so: a copy must not stop the calls that it is for. */
async function refuseWithoutSpace(dataDir: string): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir);
  const sizeBytes = await sizeOf(databaseFolder(dataDir));
  if (sizeBytes > (bavail * bsize) / 2)
    throw new Error(`a copy of the database takes ${inMb(sizeBytes)}, and ${inMb(bavail * bsize)} are free`);
}

async function sizeOf(folder: string): Promise<number> {
  let sizeBytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const found = await stat(join(entry.parentPath, entry.name)).catch(() => undefined);
    sizeBytes += found?.size ?? 0;
  }
  return sizeBytes;
}

const inMb = (bytes: number) => `${Math.ceil(bytes / 1024 / 1024)} MB`;

/** Takes a copy every so often until it is stopped; one that fails is told of in the log. */
export function keepCopies(
  { pglite, dataDir, clock, log }: { pglite: PGlite; dataDir: string; clock: Clock; log: Logger },
  everyMs: number,
): void {
  let running = false;
  async function copy(): Promise<void> {
    if (running) return;
    running = true;
    try {
      const stoodStillMs = await takeCopy(pglite, dataDir, clock);
      log.info({ event: 'database_copied', stoodStillMs });
    } catch (error) {
      log.warn({ event: 'database_copy_failed', error: describeError(error) });
    } finally {
      running = false;
    }
  }
  setInterval(() => void copy(), everyMs).unref();
}

/**
 * Goes back to the newest copy that can be opened. What was there is kept beside it; calls that waited when the copy was
 * taken are ended, since they may have been placed since then, and nobody is called twice.
 */
export async function restoreNewestCopy(
  dataDir: string,
  { keepWaiting, clock, say }: { keepWaiting: boolean; clock: Clock; say: (line: string) => void },
): Promise<DatabaseCopy> {
  const copies = await listCopies(dataDir);
  const [draft, database] = [`${databaseFolder(dataDir)}.restoring`, databaseFolder(dataDir)];
  for (const copy of copies) {
    await rm(draft, { recursive: true, force: true });
    await copyClosedDatabase(copy.path, draft);
    try {
      const store = await openTables({ dataDir: draft });
      if (!keepWaiting) await settleRestored(store, clock.now());
      await store.close();
    } catch (error) {
      say(`${copy.path} cannot be opened either: ${error instanceof Error ? error.message : String(error)}`);
      continue;
    }
    const kept = `${database}.before-${nameOf(clock.now())}`;
    if (existsSync(database)) {
      await rename(database, kept);
      say(`The database that was there is now ${kept}`);
    }
    await rename(draft, database);
    await syncPath(dataDir);
    return copy;
  }
  throw new Error(`${copiesFolder(dataDir)} holds no copy of the database that can be opened`);
}

/** The failure to open an embedded database, with the way out of it; any other error as it is. */
export async function withWayOut(error: unknown, dataDir: string, now: Date): Promise<unknown> {
  if (!(error instanceof DatabaseUnopenable)) return error;
  return new Error(`${error.message}\n${await wayOut(dataDir, now)}`, { cause: error });
}

async function wayOut(dataDir: string, now: Date): Promise<string> {
  const [newest] = await listCopies(dataDir);
  if (!newest)
    return `There is no copy of it in ${copiesFolder(dataDir)}. A backup is put back by: npm run restore -- FOLDER --replace`;
  const minutes = Math.max(0, Math.round((now.getTime() - newest.takenAt.getTime()) / 60_000));
  return `The newest copy is ${newest.path}, of ${minutes} minutes ago. Go back to it with: ${RESTORE_COMMAND} (what is there now is kept beside it)`;
}
