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
  return server ? openPostgresCopy(server) : openSnapshot();
}

/** Races mean nothing on one session: tests of them ask for PostgreSQL and say so when it is missing. */
export const hasPostgres = process.env.TEST_DATABASE_URL !== undefined;

async function openSnapshot(): Promise<OpenDatabase> {
  const image = new Blob([await readFile(await snapshotPath())]);
  return openDatabase({ dataDir: 'memory://', snapshot: image });
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
