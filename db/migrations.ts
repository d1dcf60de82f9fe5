import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Vectors of documents, and parts of words in conversations. */
export const EXTENSIONS = 'create extension if not exists vector; create extension if not exists pg_trgm';

export const MIGRATIONS = new URL('../drizzle', import.meta.url).pathname;
const FUNCTIONS = new URL('./functions.sql', import.meta.url).pathname;

/**
 * The folder of all migrations, or one that is made for the time being with those up to an index. Calls `work` with it.
 */
export async function withMigrations<Result>(
  upTo: number | undefined,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  if (upTo === undefined) return work(MIGRATIONS);
  const folder = await mkdtemp(join(tmpdir(), 'callwright-migrations-'));
  try {
    const journal = await readJournal();
    const entries = journal.entries.filter(({ idx }) => idx <= upTo);
    await mkdir(join(folder, 'meta'));
    await writeFile(join(folder, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }));
    for (const { tag } of entries) await copyFile(join(MIGRATIONS, `${tag}.sql`), join(folder, `${tag}.sql`));
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Sends one text of SQL, which may be several statements, and answers with the rows of the last. */
type Send = (text: string) => Promise<unknown[]>;

/**
 * The last migration of the oldest release that may still be started on a database of this one: raised to that of the
 * release before, when a migration takes away what older ones use. Releases of before this number do not ask for it.
 */
const OPENED_FROM_MIGRATION = 44;

/** Throws a sentence for the operator where a newer release has changed the database so that this one cannot work with it. */
export async function refuseNewerDatabase(send: Send): Promise<void> {
  const oldest = Number(/, opened from migration (\d+)$/.exec(await readMade(send))?.[1] ?? -1);
  if ((await lastMigration()) >= oldest) return;
  throw new Error(
    'This release of Callwright is too old for its database: a newer one has changed it. Start the newer release again, or restore a backup from before it',
  );
}

/**
 * Makes the functions and triggers of `functions.sql`, where they are others than those made last. A process of an older
 * release leaves those of a newer one alone: while a release is rolled out, both start. Which release made them stands in
 * the comment on drizzle's schema.
 */
export async function applyFunctions(send: Send): Promise<void> {
  const text = await readFile(FUNCTIONS, 'utf8');
  const hash = createHash('sha256').update(text).digest('hex');
  const own = `functions of migration ${await lastMigration()}, ${hash}, opened from migration ${OPENED_FROM_MIGRATION}`;
  const made = await readMade(send);
  if (made === own || migrationOf(made) > migrationOf(own)) return;
  await send(text);
  await send(`comment on schema drizzle is '${own}'`);
}

/** What the last release that made the functions wrote about itself; nothing in a new database. */
async function readMade(send: Send): Promise<string> {
  const [found] = await send("select obj_description(to_regnamespace('drizzle'), 'pg_namespace') as made");
  return isRow(found) && typeof found.made === 'string' ? found.made : '';
}

function isRow(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function migrationOf(made: string): number {
  return Number(/^functions of migration (\d+),/.exec(made)?.[1] ?? -1);
}

type Journal = { entries: { idx: number; tag: string; when: number }[] };

/** The list of migrations, oldest first. */
export async function readJournal(): Promise<Journal> {
  return JSON.parse(await readFile(`${MIGRATIONS}/meta/_journal.json`, 'utf8')) as Journal;
}

/** Names of the tables and functions that any release has made. */
export async function madeByMigrations(): Promise<{ tables: string[]; functions: string[] }> {
  const { entries } = await readJournal();
  const texts = await Promise.all(entries.map(({ tag }) => readFile(`${MIGRATIONS}/${tag}.sql`, 'utf8')));
  const named = (pattern: RegExp) =>
    texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name));
  return {
    tables: named(/^CREATE TABLE (?:IF NOT EXISTS )?"(\w+)"/gim),
    functions: named(/^CREATE (?:OR REPLACE )?FUNCTION (?:public\.)?"?(\w+)/gim),
  };
}

async function lastMigration(): Promise<number> {
  return (await readJournal()).entries.at(-1)?.idx ?? -1;
}
