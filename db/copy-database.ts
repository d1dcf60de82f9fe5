import { constants } from 'node:fs';
import { copyFile, mkdir, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { syncTree } from '#lib/sync-to-disk.ts';

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const LOG_FOLDER = 'pg_wal';
/** Written and brought to the disk at a time: a commit that waits for the disk meanwhile waits for no more than this. */
const PIECE_BYTES = 2 * 1024 * 1024;

/** Each database's copies, one after the other. */
const copying = new WeakMap<PGlite, Promise<unknown>>();

/** No checkpoint may come while a database is copied: the copy needs the log from the one before it. */
export const isBeingCopied = (pglite: PGlite): boolean => copying.has(pglite);

/**
 * Copies the database's files into a new folder and brings the copy to the disk, while everybody is answered: what changes
 * meanwhile is repaired from the log, which is copied last and in which nobody is answered for a moment. The copy is what a
 * database is that was killed at that moment. Gives back the milliseconds of that moment.
 */
export async function copyDatabase(pglite: PGlite, dataDir: string, into: string): Promise<number> {
  const before = copying.get(pglite) ?? Promise.resolve();
  const copied = before.catch(() => {}).then(() => copy(pglite, dataDir, into));
  copying.set(pglite, copied);
  try {
    return await copied;
  } finally {
    if (copying.get(pglite) === copied) copying.delete(pglite);
  }
}

async function copy(pglite: PGlite, dataDir: string, into: string): Promise<number> {
  await pglite.exec('checkpoint');
  await copyFolder(dataDir, into, (name) => name !== LOG_FOLDER);
  const [log, copiedLog] = [join(dataDir, LOG_FOLDER), join(into, LOG_FOLDER)];
  await mkdir(copiedLog, { mode: PRIVATE_FOLDER });
  const { rows } = await pglite.query<{ first: string; last: string }>(
    `select pg_walfile_name(redo_lsn) as first, pg_walfile_name(pg_current_wal_insert_lsn()) as last,
      pg_logical_emit_message(false, '', '', true) from pg_control_checkpoint()`,
  );
  const { first = '', last = '' } = rows[0] ?? {};
  const stoodStillMs = await pglite.runExclusive(async () => {
    const begunAt = performance.now();
    for (const name of segmentsBetween(await readdir(log), first, last))
      await copyFile(join(log, name), join(copiedLog, name), constants.COPYFILE_FICLONE);
    return Math.round(performance.now() - begunAt);
  });
  await syncTree(into);
  return stoodStillMs;
}

/** Those of the log that the copy needs, with the one that may have been begun since; others wait to be written again. */
function segmentsBetween(names: readonly string[], first: string, last: string): string[] {
  const sorted = names.filter((name) => /^[\dA-F]{24}$/.test(name)).toSorted();
  const next = sorted.find((name) => name > last) ?? last;
  return sorted.filter((name) => name >= first && name <= next);
}

/** Copies a folder that nobody writes into, such as a database that is not open, and brings the copy to the disk. */
export async function copyClosedDatabase(dataDir: string, into: string): Promise<void> {
  await copyFolder(dataDir, into);
  await syncTree(into);
}

async function copyFolder(from: string, into: string, isWanted = (_name: string) => true): Promise<void> {
  await mkdir(into, { recursive: true, mode: PRIVATE_FOLDER });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (!isWanted(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(into, entry.name)];
    if (entry.isDirectory()) await copyFolder(source, target);
    else if (entry.isFile()) await copyOne(source, target).catch(unlessGone);
  }
}

/** Where the file system can, the copy shares what both have in common until one of them changes it. */
async function copyOne(from: string, to: string): Promise<void> {
  const { size } = await stat(from);
  if (size <= PIECE_BYTES) return copyFile(from, to, constants.COPYFILE_FICLONE);
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE_FORCE);
  } catch (error) {
    if (isGone(error)) throw error;
    await copyInPieces(from, to);
  }
}

async function copyInPieces(from: string, to: string): Promise<void> {
  await using source = await open(from, 'r');
  await using target = await open(to, 'w', PRIVATE_FILE);
  const piece = Buffer.alloc(PIECE_BYTES);
  for (;;) {
    const { bytesRead } = await source.read(piece, 0, PIECE_BYTES, null);
    if (bytesRead > 0) await target.writeFile(piece.subarray(0, bytesRead));
    if (bytesRead < PIECE_BYTES) return;
    await target.sync();
  }
}

/** The log has what becomes of a table whose file is removed meanwhile. */
function unlessGone(error: unknown): void {
  if (!isGone(error)) throw error;
}

const isGone = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
