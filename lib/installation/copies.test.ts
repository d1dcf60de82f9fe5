import { cp, mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, queryRows } from '#db/client.ts';
import { openEmbedded } from '#db/embedded.ts';
import { createEmbeddedTestDatabase } from '#db/testing.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { listCopies, restoreNewestCopy, takeCopy, withWayOut } from './copies.ts';

const settings = ['shared_buffers = 4MB'];
let dataDir: string;
let whole: string;
const db = () => join(dataDir, 'db');

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'callwright-copies-'));
  await createEmbeddedTestDatabase(db());
  whole = join(dataDir, 'whole');
  await cp(db(), whole, { recursive: true });
});
afterAll(() => rm(dataDir, { recursive: true }));

const idsIn = async (folder: string) => {
  const opened = await openEmbedded({ dataDir: folder, settings });
  const rows = await queryRows<{ id: number }>(opened.db, sql`select id from kept order by id`);
  await opened.close();
  return rows.map(({ id }) => id);
};

it('copies the database while it is written into, keeps two copies, and goes back to the newest that opens', async () => {
  const database = await openEmbedded({ dataDir: db(), settings });
  await database.db.execute(sql`create table kept (id int primary key, text text)`);
  let id = 0;
  let isWriting = true;
  const writing = (async () => {
    while (isWriting) {
      await database.db.execute(sql`insert into kept values (${(id += 1)}, ${'words '.repeat(400)})`);
      // Statements of PGlite leave the files no turn otherwise.
      await setTimeout(1);
    }
  })();
  const before: number[] = [];
  for (let taken = 0; taken < 3; taken += 1) {
    before.push(id);
    await takeCopy(database.pglite, dataDir, systemClock);
  }
  isWriting = false;
  await writing;
  await database.close();

  const copies = await listCopies(dataDir);
  expect(copies).toHaveLength(2);
  expect(await readdir(join(dataDir, 'copies'))).toHaveLength(2);
  const ids = await idsIn(copies[1]!.path);
  expect(ids).toEqual(ids.map((_, index) => index + 1));
  expect(ids.length).toBeGreaterThanOrEqual(before[1]!);

  await rm(join(copies[0]!.path, 'global', 'pg_control'));
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const used = await restoreNewestCopy(dataDir, { keepWaiting: false, clock: systemClock, say });
  expect(used.path).toBe(copies[1]!.path);
  expect(lines[0]).toMatch(/cannot be opened either/);
  expect(lines[1]).toMatch(/is now .*db\.before-/);
  expect(await idsIn(db())).toEqual(ids);
}, 120_000);

/** How clusters break, and what the operator reads. */
const BREAKS: [how: string, words: RegExp, apply: (folder: string) => Promise<void>][] = [
  ['lost pg_control', /global\/pg_control/, (folder) => rm(join(folder, 'global', 'pg_control'))],
  [
    'has a pg_control of zeros',
    /FATAL: database files are incompatible with server/,
    (folder) => writeFile(join(folder, 'global', 'pg_control'), Buffer.alloc(8_192)),
  ],
  [
    'lost its log',
    /could not locate a valid checkpoint record/,
    async (folder) => {
      for (const name of await readdir(join(folder, 'pg_wal')))
        await rm(join(folder, 'pg_wal', name), { recursive: true });
    },
  ],
  ['lost PG_VERSION', /holds no database/, (folder) => rm(join(folder, 'PG_VERSION'))],
  [
    'is of another release of PostgreSQL',
    /incompatible with server.*version 15/s,
    (folder) => writeFile(join(folder, 'PG_VERSION'), '15\n'),
  ],
  ['lost the tables', /base\/5/, (folder) => rm(join(folder, 'base'), { recursive: true })],
  [
    'has a file that was cut off',
    /pg_filenode\.map|could not read|FATAL/,
    (folder) => truncate(join(folder, 'global', 'pg_filenode.map'), 10),
  ],
  [
    'is something else',
    /holds no database/,
    async (folder) => {
      await rm(folder, { recursive: true });
      await mkdir(folder);
      await writeFile(join(folder, 'notes.txt'), 'mine');
    },
  ],
];

describe('a database that cannot be opened', () => {
  it.each(BREAKS)(
    'that %s: says why, where, which copy is the newest, and the command that goes back to it',
    async (_how, words, apply) => {
      const folder = await mkdtemp(join(tmpdir(), 'callwright-broken-'));
      try {
        await cp(whole, join(folder, 'db'), { recursive: true });
        await mkdir(join(folder, 'copies', '2026-01-02T03-04-05.678Z'), { recursive: true });
        await apply(join(folder, 'db'));
        const failure: unknown = await openDatabase({ dataDir: join(folder, 'db'), settings }).then(
          () => 'it opened',
          (error: unknown) => withWayOut(error, folder, new Date('2026-01-02T03:14:05Z')),
        );
        const message = failure instanceof Error ? failure.message : String(failure);
        expect(message).toMatch(words);
        expect(message).toContain(`The embedded database in ${join(folder, 'db')} cannot be opened`);
        expect(message).toContain('2026-01-02T03-04-05.678Z, of 10 minutes ago');
        expect(message).toContain('npm run restore -- --newest-copy');
      } finally {
        await rm(folder, { recursive: true });
      }
    },
    60_000,
  );
});
