import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Filesystem } from '@electric-sql/pglite/basefs';
import postgres from 'postgres';
import { type OpenDatabase, openDatabase } from './client.ts';
import { createImageFilesystem } from './testing-image.ts';
import { snapshotPath, templateName } from './testing-setup.ts';

/**
 * An empty, migrated database for one test file: embedded, or on the PostgreSQL server of `TEST_DATABASE_URL`
 * (each call makes a database of its own there and drops it on `close`).
 */
export async function openTestDatabase(): Promise<OpenDatabase> {
  const server = process.env.TEST_DATABASE_URL;
  return server ? openPostgresCopy(server) : openEmbeddedTestDatabase();
}

/** Races mean nothing on one session: tests of them ask for PostgreSQL and say so when it is missing. */
export const hasPostgres = process.env.TEST_DATABASE_URL !== undefined;

const IN_MEMORY = 'memory://';

/** The image is read once in a process. */
let image: Promise<{ snapshot: Blob; createFilesystem: () => Filesystem }> | undefined;

/** An embedded one whatever is tested, in a folder if it is to outlive its process. */
export async function openEmbeddedTestDatabase(dataDir = IN_MEMORY): Promise<OpenDatabase> {
  image ??= snapshotPath()
    .then((path) => readFile(path))
    .then((bytes) => ({ snapshot: new Blob([bytes]), createFilesystem: createImageFilesystem(bytes) }));
  const { snapshot, createFilesystem } = await image;
  // The usual 160 MB of buffers are filled with zeros at each start (decision 0155).
  const settings = ['shared_buffers = 4MB'];
  if (dataDir !== IN_MEMORY) return openDatabase({ dataDir, snapshot, settings });
  return openDatabase({ dataDir, fs: createFilesystem(), settings });
}

/** Leaves an empty, migrated one in a new folder for processes that a test starts: made by the first of them, it costs 4 s. */
export async function createEmbeddedTestDatabase(dataDir: string): Promise<void> {
  await mkdir(dirname(dataDir), { recursive: true });
  await (await openEmbeddedTestDatabase(dataDir)).close();
}

/** The names that tests have given to rows, in each database. */
const takenNames = new WeakMap<object, Map<string, number>>();

/** The name, with a number where the database has it already: a test that is repeated gets rows of its own. */
export function freshName(db: object, name: string): string {
  const taken = takenNames.get(db) ?? new Map<string, number>();
  takenNames.set(db, taken);
  const times = (taken.get(name) ?? 0) + 1;
  taken.set(name, times);
  return times === 1 ? name : `${name}_${times}`;
}

/** A database of its own on a server, migrated or without anything in it, for tests that start processes on it. */
export async function createServerDatabase(
  server: string,
  { isEmpty = false } = {},
): Promise<{ databaseUrl: string; drop(): Promise<void> }> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const admin = postgres(server, { max: 1, onnotice: () => {} });
  await admin.unsafe(`create database ${name}${isEmpty ? '' : ` template ${await templateName()}`}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    databaseUrl: url.href,
    async drop() {
      await admin.unsafe(`drop database if exists ${name} with (force)`);
      await admin.end();
    },
  };
}

async function openPostgresCopy(server: string): Promise<OpenDatabase> {
  const { databaseUrl, drop } = await createServerDatabase(server);
  const database = await openDatabase({ databaseUrl });
  return {
    ...database,
    async close() {
      await database.close();
      await drop();
    },
  };
}
