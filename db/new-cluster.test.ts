import { mkdir, mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase, queryRows } from './client.ts';
import { ensureCluster } from './new-cluster.ts';
import { sharedBuffersMb } from './shared-buffers.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callwright-cluster-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function fill(path: string, sizeMb: number): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true });
  const file = await open(path, 'w');
  await file.truncate(sizeMb * 1024 * 1024);
  await file.close();
}

it('makes a database that is migrated, without what a killed start left, and opens it again as it is', async () => {
  await mkdir(join(folder, 'db.new-1'));
  await writeFile(join(folder, 'db.new-1', 'PG_VERSION'), '17');
  const first = await openDatabase({ dataDir: join(folder, 'db') });
  expect(await readdir(folder)).toEqual(['db']);
  await first.db.execute(sql`create table kept as select count(*)::int as workspaces from workspaces`);
  expect(await queryRows(first.db, sql`show shared_buffers`)).toEqual([{ shared_buffers: '32MB' }]);
  await first.close();
  const again = await openDatabase({ dataDir: join(folder, 'db') });
  expect(await queryRows(again.db, sql`select * from kept`)).toEqual([{ workspaces: 0 }]);
  await again.close();
  // Made by a process of its own, as on the first start: ten seconds of an idle core.
}, 120_000);

it('says what went wrong where no files can be made, and leaves none', async () => {
  await writeFile(join(folder, 'not-a-folder'), '');
  await expect(ensureCluster(join(folder, 'not-a-folder', 'db'))).rejects.toThrow(/not-a-folder/);
  expect(await readdir(folder)).toEqual(['not-a-folder']);
});

it('leaves alone what is no database', async () => {
  await mkdir(join(folder, 'db'));
  await writeFile(join(folder, 'db', 'notes.txt'), 'mine');
  await expect(ensureCluster(join(folder, 'db'))).rejects.toThrow(
    /db cannot be opened: the folder is there and holds no database/,
  );
  expect(await readdir(join(folder, 'db'))).toEqual(['notes.txt']);
});

it('takes memory for pages by the size of tables and indexes, between 32 and 128 MB', async () => {
  expect(await sharedBuffersMb(join(folder, 'none'))).toBe(32);
  await fill(join(folder, 'base', '5', '16384'), 20);
  expect(await sharedBuffersMb(folder)).toBe(32);
  await fill(join(folder, 'base', '5', '16385'), 20);
  expect(await sharedBuffersMb(folder)).toBe(64);
  await fill(join(folder, 'base', '5', '16386'), 800);
  expect(await sharedBuffersMb(folder)).toBe(128);
});
