import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { fromPglite, PgBoss } from 'pg-boss';
import postgres from 'postgres';
import { openDatabase } from './client.ts';
import { openEmbedded } from './embedded.ts';

export const SNAPSHOT_DIR = new URL('../node_modules/.cache/callwright', import.meta.url).pathname;

/** A segment of the log is 16 MB otherwise, which each test's database would unpack, and eight of them are kept. */
const INITDB_PARAMS = ['--wal-segsize=1'];
const SETTINGS = ['min_wal_size = 2MB', 'max_wal_size = 2MB', 'wal_recycle = off'];
/** The databases that others are made from: half of the files of the image. */
const DROP_TEMPLATES = `
  update pg_database set datistemplate = false, datallowconn = false where datname in ('template0', 'template1');
  drop database template0;
  drop database template1;
  checkpoint;
`;

/** Changes with the migrations, so that a stale image is never used. */
async function schemaVersion(): Promise<string> {
  const hash = createHash('sha256');
  const folder = new URL('../drizzle', import.meta.url).pathname;
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort())
    hash.update(await readFile(`${folder}/${name}`));
  hash.update(await readFile(new URL('./functions.sql', import.meta.url)));
  hash.update([...INITDB_PARAMS, ...SETTINGS, DROP_TEMPLATES].join(' '));
  hash.update(await readFile(new URL('../node_modules/pg-boss/package.json', import.meta.url)));
  return hash.digest('hex').slice(0, 16);
}

/** The image of an empty, migrated embedded database. */
export async function snapshotPath(): Promise<string> {
  return `${SNAPSHOT_DIR}/empty-${await schemaVersion()}.tar`;
}

/** The database on the server of `TEST_DATABASE_URL` that every test's own is copied from. */
export async function templateName(): Promise<string> {
  return `callwright_empty_${await schemaVersion()}`;
}

/** Vitest's global set-up: migrates one empty database of the kind that is tested, which every test file copies. */
export default async function setup(): Promise<void> {
  // Both: some tests open an embedded database of their own while the others run on PostgreSQL.
  await migrateSnapshot();
  if (process.env.TEST_DATABASE_URL) await migrateTemplate(process.env.TEST_DATABASE_URL);
}

async function migrateTemplate(server: string): Promise<void> {
  const name = await templateName();
  const admin = postgres(server, { max: 1, onnotice: () => {} });
  try {
    const [found] = await admin`select 1 from pg_database where datname = ${name}`;
    if (found) return;
    // Under another name until it is whole: a run that was interrupted leaves no half template.
    const draft = `${name}_${process.pid}`;
    await admin.unsafe(`create database ${draft}`);
    const url = new URL(server);
    url.pathname = `/${draft}`;
    const database = await openDatabase({ databaseUrl: url.href });
    await database.migrate();
    await addQueue(new PgBoss(url.href));
    await database.close();
    await admin.unsafe(`alter database ${draft} rename to ${name}`);
  } finally {
    await admin.end();
  }
}

async function migrateSnapshot(): Promise<void> {
  const path = await snapshotPath();
  if (existsSync(path)) return;
  await mkdir(SNAPSHOT_DIR, { recursive: true });
  const place = { dataDir: 'memory://', initDbStartParams: INITDB_PARAMS, settings: SETTINGS };
  const database = await openEmbedded(place);
  await database.migrate();
  await addQueue(new PgBoss({ db: fromPglite(database.pglite), backend: 'pglite' }));
  // One at a time: a database is not dropped within a transaction.
  for (const statement of DROP_TEMPLATES.split(';')) await database.pglite.exec(statement);
  const image = await database.pglite.dumpDataDir('none');
  await database.close();
  await writeFile(`${path}.${process.pid}`, Buffer.from(await image.arrayBuffer()));
  await rename(`${path}.${process.pid}`, path);
}

/** The tables of the queue, which every start of the service would make otherwise: two thirds of a start of the queue. */
async function addQueue(boss: PgBoss): Promise<void> {
  await boss.start();
  await boss.stop();
}
