import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '#db/client.ts';
import { openTables } from '#db/table-copy.ts';
import type { TableStore } from '#db/table-shape.ts';
import { createFileStorage } from '#lib/adapters/storage/file.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { type Env, parseEnv } from '#lib/env.ts';
import { createBackup } from '#lib/installation/backup.ts';
import { type DatabaseCopy, restoreNewestCopy } from '#lib/installation/copies.ts';
import { refuseUnfit } from '#lib/installation/fit.ts';
import { type Manifest, objectsFolder } from '#lib/installation/backup-files.ts';
import { readSealSettings, type SealSettings } from '#lib/installation/backup-seal.ts';
import { type Moved, moveToPostgres } from '#lib/installation/move.ts';
import { restoreBackup } from '#lib/installation/restore.ts';
import { isInUse, orderFromService } from '#lib/installation/service-door.ts';
import { openStorage } from '#lib/storage-runtime.ts';

/* What the commands of operators share: which installation the environment names, and how one of its parts is opened. */

export const say = (line: string): void => void process.stdout.write(`${line}\n`);

export const readCommandEnv = (): Env => parseEnv({ ...process.env, ROLE: 'all' });

/** Ends with 1 and one sentence where the work failed. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  process.umask(0o077);
  try {
    await work();
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

const serverOf = (env: Env) => env.databaseDirectUrl ?? env.databaseUrl;
const embeddedFolder = (env: Env) => join(env.dataDir, 'db');
const placeOf = (env: Env) => {
  const databaseUrl = serverOf(env);
  return databaseUrl === undefined ? { dataDir: embeddedFolder(env) } : { databaseUrl };
};

/** Answers with how many migrations there were to do. */
export async function migrate(env: Env): Promise<number> {
  if (env.databaseUrl === undefined) await refuseRunning(env);
  const database = await openDatabase(placeOf(env));
  try {
    await refuseUnfit(database, env.dataDir);
    let steps = 0;
    await database.migrate({
      onMigration({ done, of }) {
        steps = of;
        if (done > 0) say(`${done} of ${of}`);
      },
    });
    return steps;
  } finally {
    await database.close();
  }
}

/** Backs up while the service runs, or stands still. */
export async function backUp(
  env: Env,
  folder: string,
  settings: SealSettings = readSealSettings({}),
): Promise<Manifest> {
  return createBackup(
    { openMoment: () => openMoment(env, folder), storage: await openStorage(env.storage) },
    { folder, into: createFileStorage(objectsFolder(folder)), settings, clock: systemClock, say },
  );
}

/**
 * A server gives one transaction one moment. The embedded database has one connection, the service's: the service copies
 * its files to the backup's folder, in which nobody answers for a moment, and the tables are read from the copy.
 */
async function openMoment(env: Env, folder: string): Promise<TableStore> {
  const place = placeOf(env);
  if ('databaseUrl' in place) {
    const store = await openTables(place);
    await store.query('begin transaction isolation level repeatable read read only');
    return store;
  }
  if (!(await isInUse(env.dataDir))) return openTables(place);
  const copy = join(folder, 'database');
  await rm(copy, { recursive: true, force: true });
  say(`The service stood still for ${await orderFromService(env.dataDir, 'copy-database', copy)} ms.`);
  const store = await openTables({ dataDir: copy });
  return {
    ...store,
    async close() {
      await store.close();
      await rm(copy, { recursive: true, force: true });
    },
  };
}

export async function restore(
  env: Env,
  folder: string,
  options: { replace: boolean; keepWaiting: boolean },
  settings: SealSettings = readSealSettings({}),
): Promise<Manifest> {
  await refuseRunning(env);
  return restoreBackup({
    ...options,
    folder,
    from: createFileStorage(objectsFolder(folder)),
    place: placeOf(env),
    storage: await openStorage(env.storage),
    settings,
    clock: systemClock,
    say,
  });
}

/** To the newest copy of the embedded database. */
export async function goBack(env: Env, { keepWaiting }: { keepWaiting: boolean }): Promise<DatabaseCopy> {
  if (env.databaseUrl) throw new Error('Copies are of the embedded database, and DATABASE_URL is set.');
  await refuseRunning(env);
  return restoreNewestCopy(env.dataDir, { keepWaiting, clock: systemClock, say });
}

export async function move(
  env: Env,
  { restart, fromStorage }: { restart: boolean; fromStorage: string | undefined },
): Promise<Moved> {
  const databaseUrl = serverOf(env);
  if (databaseUrl === undefined) throw new Error('Set DATABASE_URL to the server that is moved to.');
  await refuseRunning(env);
  const source = parseEnv({ DATA_DIR: env.dataDir, STORAGE_URL: fromStorage }).storage;
  const isSame = JSON.stringify(source) === JSON.stringify(env.storage);
  return moveToPostgres({
    dataDir: env.dataDir,
    databaseUrl,
    objects: isSame ? undefined : { from: await openStorage(source), into: await openStorage(env.storage) },
    restart,
    clock: systemClock,
    say,
  });
}

async function refuseRunning(env: Env): Promise<void> {
  if (await isInUse(env.dataDir)) throw new Error(`The service runs on ${env.dataDir}: stop it first.`);
}
