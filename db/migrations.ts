import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** Vectors of documents, and parts of words in conversations. */
export const EXTENSIONS = 'create extension if not exists vector; create extension if not exists pg_trgm';

export const MIGRATIONS = new URL('../drizzle', import.meta.url).pathname;
const FUNCTIONS = new URL('./functions.sql', import.meta.url).pathname;

/** Sends one text of SQL, which may be several statements, and answers with the rows of the last. */
type Send = (text: string) => Promise<unknown[]>;

/**
 * Makes the functions and triggers of `functions.sql`, where they are others than those made last. A process of an older
 * release leaves those of a newer one alone: while a release is rolled out, both start. Which release made them stands in
 * the comment on drizzle's schema.
 */
export async function applyFunctions(send: Send): Promise<void> {
  const text = await readFile(FUNCTIONS, 'utf8');
  const own = `functions of migration ${await lastMigration()}, ${createHash('sha256').update(text).digest('hex')}`;
  const [found] = await send("select obj_description('drizzle'::regnamespace, 'pg_namespace') as made");
  const made = isRow(found) && typeof found.made === 'string' ? found.made : '';
  if (made === own || migrationOf(made) > migrationOf(own)) return;
  await send(text);
  await send(`comment on schema drizzle is '${own}'`);
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

async function lastMigration(): Promise<number> {
  return (await readJournal()).entries.at(-1)?.idx ?? -1;
}
