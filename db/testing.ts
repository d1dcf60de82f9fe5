import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import postgres from 'postgres';
import { type OpenDatabase, openDatabase } from './client.ts';
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

/** The image is read once in a process. */
let image: Promise<Blob> | undefined;

/** An embedded one whatever is tested, in a folder if it is to outlive its process. */
export async function openEmbeddedTestDatabase(dataDir = 'memory://'): Promise<OpenDatabase> {
  image ??= snapshotPath().then(async (path) => new Blob([await readFile(path)]));
  // The usual 160 MB of buffers are filled with zeros at each start (decision 0155).
  return openDatabase({ dataDir, snapshot: await image, settings: ['shared_buffers = 4MB'] });
}

async function openPostgresCopy(server: string): Promise<OpenDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const admin = postgres(server, { max: 1, onnotice: () => {} });
  await admin.unsafe(`create database ${name} template ${await templateName()}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const database = await openDatabase({ databaseUrl: url.href });
  return {
    ...database,
    async close() {
      await database.close();
      await admin.unsafe(`drop database if exists ${name} with (force)`);
      await admin.end();
    },
  };
}
