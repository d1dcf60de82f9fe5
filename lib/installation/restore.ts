import { existsSync, createReadStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { TableStore } from '#db/table-shape.ts';
import type { Clock } from '#lib/ports/clock.ts';
import type { ObjectStorage } from '#lib/ports/storage.ts';
import { syncPath } from '#lib/sync-to-disk.ts';
import { checkBackup, digested, type Manifest, readObjectList, tablePath } from './backup-files.ts';
import { type BackupSeal, openSeal, type SealSettings } from './backup-seal.ts';
import {
  beginFilling,
  compareTable,
  type DatabasePlace,
  endFilling,
  fillTable,
  migratePlace,
  refuseUsed,
  withTables,
} from './filling.ts';
import { isInstalled } from './installed.ts';
import { settleRestored } from './restored-calls.ts';

export type Restoring = {
  folder: string;
  /** The files of the backup. */
  from: ObjectStorage;
  place: DatabasePlace;
  storage: ObjectStorage;
  settings: SealSettings;
  /** Whether an installation that is there already gives way. */
  replace: boolean;
  /** Whether calls that waited are to be placed, and webhooks sent: where nobody else has done it since the backup. */
  keepWaiting: boolean;
  clock: Clock;
  say: (line: string) => void;
};

type Opened = Restoring & { seal: BackupSeal };

/**
 * Puts a backup back. Everything is compared with its checksum before anything is touched, and again after it was written.
 * Throws, having changed nothing, where the backup is not whole or the target holds an installation.
 */
export async function restoreBackup(asked: Restoring): Promise<Manifest> {
  asked.say('Checking the backup …');
  const given = { ...asked, seal: await openSeal(asked.folder, asked.settings) };
  const manifest = await checkBackup(given.folder, given.seal);
  await ('databaseUrl' in given.place
    ? restoreServer(given, manifest, given.place)
    : restoreEmbedded(given, manifest, given.place.dataDir));
  return manifest;
}

async function restoreServer(
  given: Opened,
  manifest: Manifest,
  place: { databaseUrl: string },
): Promise<void> {
  await withTables(place, async (store) => {
    await refuseUsed(store, given);
    await restoreObjects(given, manifest);
    await beginFilling(store);
  });
  await migratePlace(place, manifest.migration.idx);
  await withTables(place, async (store) => {
    await store.query('begin');
    await fillTables(given, manifest, store);
    await endFilling(store);
    await store.query('commit');
  });
  await migratePlace(place);
}

/** Into a folder beside it, which takes its place when it is whole. */
async function restoreEmbedded(given: Opened, manifest: Manifest, dataDir: string): Promise<void> {
  const draft = `${dataDir}.restoring`;
  await mkdir(dirname(dataDir), { recursive: true, mode: 0o700 });
  await rm(draft, { recursive: true, force: true });
  const isThere = existsSync(dataDir);
  if (isThere && !given.replace && (await withTables({ dataDir }, isInstalled)))
    throw new Error('this database holds an installation already');
  await restoreObjects(given, manifest);
  await migratePlace({ dataDir: draft }, manifest.migration.idx);
  await withTables({ dataDir: draft }, async (store) => {
    await store.query('begin');
    await fillTables(given, manifest, store);
    await store.query('commit');
  });
  await migratePlace({ dataDir: draft });
  const kept = `${dataDir}.before-${given.clock.now().toISOString().replaceAll(':', '-')}`;
  if (isThere) await rename(dataDir, kept);
  await rename(draft, dataDir);
  await syncPath(dirname(dataDir));
  if (isThere) given.say(`The database that was there is now ${kept}`);
}

async function restoreObjects(
  { folder, seal, from, storage, say }: Opened,
  manifest: Manifest,
): Promise<void> {
  let count = 0;
  for await (const file of readObjectList(folder, seal)) {
    const found = await from.open(file.key);
    if (!found) throw new Error(`the backup is not whole: ${file.key} is missing`);
    const counted = digested(seal.open(found.body));
    await storage.put(file.key, counted.body);
    if (counted.digest().sha256 !== file.sha256) throw new Error(`${file.key} has another checksum`);
    count += 1;
    if (count % 1000 === 0) say(`${count} of ${manifest.objects.count} recordings and documents …`);
  }
  say(`${count} recordings and documents`);
}

async function fillTables(
  { folder, seal, keepWaiting, clock, say }: Opened,
  manifest: Manifest,
  store: TableStore,
): Promise<void> {
  const shapes = await store.shapes();
  const wanted = new Map(manifest.tables.map((table) => [table.name, table]));
  for (const shape of shapes) {
    const table = wanted.get(shape.name);
    if (!table || table.columns.join() !== shape.columns.join())
      throw new Error(`the backup has no table ${shape.name} with these columns: it is of another release`);
    await fillTable(store, shape, seal.open(createReadStream(tablePath(folder, shape.name))));
    await compareTable(store, shape, table);
    say(`${shape.name}: ${table.rows} rows`);
  }
  if (!keepWaiting) await settleRestored(store, clock.now());
}
