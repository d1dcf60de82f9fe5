/** @module-tag postgres */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { OpenDatabase } from '#db/client.ts';
import { openTestDatabase } from '#db/testing.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { loadSecret } from './installation-secret.ts';

let database: OpenDatabase;
let dataDir: string;

beforeEach(async () => {
  database = await openTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'callwright-secret-'));
});
afterEach(async () => {
  await database.close();
  await rm(dataDir, { recursive: true });
});

const load = (from = dataDir, configured?: string) =>
  loadSecret({ db: database.db, clock: systemClock }, { configured, dataDir: from });

it('is one and the same for processes that start at once on one database, and is written to no folder', async () => {
  const secrets = await Promise.all(Array.from({ length: 8 }, (_, index) => load(`${dataDir}/${index}`)));
  expect(new Set(secrets).size).toBe(1);
  expect(secrets[0]).toMatch(/^[\w-]{43}$/);
  expect(await load()).toBe(secrets[0]);
  expect(await readdir(dataDir)).toEqual([]);
});

it('is the one of the file that an older release wrote, for processes without the file too', async () => {
  await writeFile(join(dataDir, 'auth-secret'), 'a-secret-of-an-older-release-0123456789\n');
  expect(await load()).toBe('a-secret-of-an-older-release-0123456789');
  expect(await load('/nowhere')).toBe('a-secret-of-an-older-release-0123456789');
});

it('is AUTH_SECRET where that is set, which is not stored', async () => {
  expect(await load(dataDir, 'given-by-the-operator-given-by-the-operator')).toMatch(/^given/);
  expect(await load()).not.toMatch(/^given/);
});
