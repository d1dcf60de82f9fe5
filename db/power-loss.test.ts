import { copyFileSync, cpSync, existsSync, fstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { queryRows } from './client.ts';
import { openEmbedded } from './embedded.ts';
import { mayBeLost } from './may-be-lost.ts';
import { SyncedFilesystem } from './synced-files.ts';
import { createEmbeddedTestDatabase } from './testing.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callwright-power-'));
});
afterEach(() => rm(folder, { recursive: true }));

type Streams = {
  FS: {
    filesystems: {
      NODEFS: {
        realPath(node: unknown): string;
        stream_ops: { fsync(stream: { node: unknown; nfd: number }): number };
      };
    };
  };
};

/** Keeps beside the database what a disk is sure to have: each file as it was when it was last synced. */
class RecordingFilesystem extends SyncedFilesystem {
  syncs = 0;
  readonly #disk: string;

  constructor(dataDir: string, disk: string) {
    super(dataDir);
    this.#disk = disk;
    cpSync(dataDir, disk, { recursive: true });
  }

  override async init(pglite: PGlite, options: Parameters<SyncedFilesystem['init']>[1]) {
    const { emscriptenOpts } = await super.init(pglite, options);
    const record = (module: object) => {
      const { NODEFS } = (module as Streams).FS.filesystems;
      const { fsync } = NODEFS.stream_ops;
      NODEFS.stream_ops.fsync = (stream) => {
        const answer = fsync(stream);
        this.syncs += 1;
        this.#keep(NODEFS.realPath(stream.node), stream.nfd);
        return answer;
      };
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), record] } };
  }

  #keep(path: string, file: number): void {
    const kept = join(this.#disk, path.slice(this.rootDir.length));
    if (fstatSync(file).isFile()) return copyFileSync(path, kept);
    mkdirSync(kept, { recursive: true });
    const names = new Set(readdirSync(path));
    for (const name of readdirSync(kept)) if (!names.has(name)) rmSync(join(kept, name), { recursive: true });
  }
}

it('keeps after a loss of power what was answered for, and whatever else there is can be opened', async () => {
  const [dataDir, disk] = [join(folder, 'db'), join(folder, 'disk')];
  await createEmbeddedTestDatabase(dataDir);
  const fs = new RecordingFilesystem(dataDir, disk);
  const database = await openEmbedded({ dataDir, fs, settings: ['shared_buffers = 4MB'] });
  const { db, pglite } = database;
  await db.execute(sql`create table kept (id int primary key, text text)`);
  const write = (id: number, isWaiting: boolean) =>
    db.execute(
      sql`insert into kept select ${id}::int, ${'words '.repeat(200)} where ${isWaiting ? sql`true` : mayBeLost}`,
    );

  const openings: Promise<number[]>[] = [];
  for (let id = 1; id <= 60; id += 1) {
    const before = fs.syncs;
    await write(id, true);
    expect(fs.syncs).toBeGreaterThan(before);
    if (id === 25 || id === 45) await pglite.exec('checkpoint');
    if (id % 20 !== 0) continue;
    const lost = join(folder, `lost-${id}`);
    cpSync(disk, lost, { recursive: true });
    openings.push(idsIn(lost));
  }
  const found = await Promise.all(openings);
  expect(found.map((ids) => ids.length)).toEqual([20, 40, 60]);

  const before = fs.syncs;
  for (let id = 101; id <= 120; id += 1) await write(id, false);
  // The looks after the log come five times a second: far fewer than these.
  expect(fs.syncs - before).toBeLessThan(10);
  await write(200, true);
  const ids = await idsIn(disk);
  expect(ids).toContain(200);
  expect(ids).toContain(120);
  await database.close();
}, 60_000);

async function idsIn(dataDir: string): Promise<number[]> {
  expect(existsSync(join(dataDir, 'PG_VERSION'))).toBe(true);
  const { db, close } = await openEmbedded({ dataDir, settings: ['shared_buffers = 4MB'] });
  const rows = await queryRows<{ id: number }>(db, sql`select id from kept order by id`);
  await close();
  return rows.map(({ id }) => id);
}
