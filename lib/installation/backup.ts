import { mkdir, readdir } from 'node:fs/promises';
import type { TableStore } from '#db/table-shape.ts';
import type { Clock } from '#lib/ports/clock.ts';
import type { ObjectStorage } from '#lib/ports/storage.ts';
import {
  digested,
  type Manifest,
  type StoredFile,
  tablePath,
  writeDigested,
  writeManifest,
  writeObjectList,
} from './backup-files.ts';
import { type BackupSeal, makeSeal, type SealSettings } from './backup-seal.ts';
import { lastMigrationOf, namedObjects } from './installed.ts';

/** A recording or document may be deleted between the moment of the tables and the copy of its file. */
const ATTEMPTS = 3;
/** Whoever finds a backup must not be signed in by it: sign-ins, what confirms them, tickets of web calls. */
const WITHOUT_ROWS = ['sessions', 'verifications', 'web_calls'];

export type BackupSource = {
  /** The tables as they are at this moment; nothing that happens afterwards is seen. */
  openMoment(): Promise<TableStore>;
  storage: ObjectStorage;
};

/**
 * Writes a backup into `folder`: files first, then the tables as of one moment, then the files that came between. So every
 * row's file is there, though calls go on meanwhile. Throws where the folder is not empty.
 */
export async function createBackup(
  { openMoment, storage }: BackupSource,
  given: {
    folder: string;
    into: ObjectStorage;
    settings: SealSettings;
    clock: Clock;
    say: (line: string) => void;
  },
): Promise<Manifest> {
  const { folder, into, say } = given;
  await mkdir(`${folder}/tables`, { recursive: true, mode: 0o700 });
  await refuseFull(folder);
  const seal = await makeSeal(folder, given.settings);
  const copying = { from: storage, into, seal };
  const copied = new Map<string, StoredFile>();
  for await (const { key } of storage.list('')) {
    await copyObject(copying, key, copied);
    if (copied.size % 1000 === 0) say(`${copied.size} recordings and documents …`);
  }
  const { moment, missing } = await findMoment(openMoment, (key) => copyObject(copying, key, copied));
  try {
    const tables = await copyTables(moment, { folder, seal, say });
    const files = [...copied.values()];
    const manifest: Manifest = {
      format: 1,
      createdAt: given.clock.now().toISOString(),
      migration: await lastMigrationOf(moment),
      tables,
      objects: {
        count: files.length,
        totalBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
        ...(await writeObjectList(folder, files, seal)),
      },
      missing,
    };
    await writeManifest(folder, manifest, seal);
    return manifest;
  } finally {
    await moment.close();
  }
}

async function refuseFull(folder: string): Promise<void> {
  const found = (await readdir(folder)).filter((name) => name !== 'tables');
  if (found.length > 0 || (await readdir(`${folder}/tables`)).length > 0)
    throw new Error(`${folder} is not empty: a backup is written into a folder of its own`);
}

/** False where nothing is stored under the key. */
async function copyObject(
  { from, into, seal }: { from: ObjectStorage; into: ObjectStorage; seal: BackupSeal },
  key: string,
  copied: Map<string, StoredFile>,
): Promise<boolean> {
  if (copied.has(key)) return true;
  const found = await from.open(key);
  if (!found) return false;
  const counted = digested(found.body);
  await into.put(key, seal.close(counted.body));
  copied.set(key, { key, ...counted.digest() });
  return true;
}

/** A moment of the tables whose files are all copied, or what is missing for good. */
async function findMoment(
  openMoment: BackupSource['openMoment'],
  copy: (key: string) => Promise<boolean>,
): Promise<{ moment: TableStore; missing: string[] }> {
  for (let attempt = 1; ; attempt += 1) {
    const moment = await openMoment();
    const missing: string[] = [];
    for (const key of await namedObjects(moment)) if (!(await copy(key))) missing.push(key);
    if (missing.length === 0 || attempt === ATTEMPTS) return { moment, missing };
    await moment.close();
  }
}

async function copyTables(
  moment: TableStore,
  { folder, seal, say }: { folder: string; seal: BackupSeal; say: (line: string) => void },
): Promise<Manifest['tables']> {
  const tables: Manifest['tables'] = [];
  for (const shape of await moment.shapes()) {
    const isEmpty = WITHOUT_ROWS.includes(shape.name);
    const digest = await writeDigested(tablePath(folder, shape.name), moment.read(shape, { isEmpty }), seal);
    const rows = isEmpty ? 0 : await countRows(moment, shape.name);
    tables.push({ name: shape.name, columns: shape.columns, rows, ...digest });
    say(`${shape.name}: ${rows} rows${isEmpty ? ', left out' : ''}`);
  }
  return tables;
}

async function countRows({ query }: Pick<TableStore, 'query'>, table: string): Promise<number> {
  const [counted] = await query(`select count(*)::int as rows from public."${table}"`);
  return Number(counted?.rows);
}
