import { readFile } from 'node:fs/promises';
import type { Sql } from 'postgres';
import { MIGRATIONS } from './migrations.ts';

/**
 * Migrations of functions and of indexes of a table that may be large. They say `or replace` and `if not exists`, so that
 * what was built ahead is left as it is.
 */
const AHEAD = [
  '0019_listing_functions.sql',
  '0020_listing_indexes.sql',
  '0029_calls_prompt.sql',
  '0039_search_windows.sql',
  '0041_calls_version.sql',
  '0042_calls_campaign_ended.sql',
];
/** Dropped by a later one: they are never built again. */
const GONE = new Set(['calls_words']);
/** Of a column that a later migration than the first brought: without it, the index has no rows and is made at once there. */
const COLUMN_OF: Record<string, string> = {
  calls_version: 'agent_version_id',
  calls_campaign_ended: 'campaign_id',
};

/**
 * Builds the indexes of a large table before the migration that makes them: a migration is one transaction, in which calls
 * would wait until the last of them is built (four minutes for a million conversations); here they go on. One that another
 * process broke off is built anew. Does nothing where the table is not there yet.
 */
export async function buildIndexesAhead(one: Sql): Promise<void> {
  const [table] = await one<{ exists: boolean }[]>`select to_regclass('calls') is not null as exists`;
  if (!table?.exists) return;
  const [before] = await one<{ lock_timeout: string }[]>`show lock_timeout`;
  // It waits for statements that are under way, and holds up nobody meanwhile.
  await one.unsafe('set lock_timeout = 0');
  for (const statement of await readStatements()) {
    if (statement.startsWith('CREATE OR REPLACE FUNCTION')) await one.unsafe(statement);
    const name = /^CREATE INDEX IF NOT EXISTS "(\w+)" ON "calls"/.exec(statement)?.[1];
    const isWanted = name !== undefined && !GONE.has(name) && (await isPossible(one, name));
    if (isWanted && !(await isBuilt(one, name)))
      await one.unsafe(statement.replace('CREATE INDEX', 'CREATE INDEX CONCURRENTLY'));
  }
  await one.unsafe(`set lock_timeout = '${before?.lock_timeout ?? '0'}'`);
}

async function isPossible(one: Sql, name: string): Promise<boolean> {
  const column = COLUMN_OF[name];
  if (column === undefined) return true;
  const found = await one`
    select from pg_attribute where attrelid = to_regclass('calls') and attname = ${column} and not attisdropped`;
  return found.length > 0;
}

async function isBuilt(one: Sql, name: string): Promise<boolean> {
  const [index] = await one<{ indisvalid: boolean }[]>`
    select indisvalid from pg_index where indexrelid = to_regclass(${name})`;
  if (index && !index.indisvalid) await one.unsafe(`drop index concurrently if exists ${name}`);
  return index?.indisvalid === true;
}

async function readStatements(): Promise<string[]> {
  const files = await Promise.all(AHEAD.map((name) => readFile(`${MIGRATIONS}/${name}`, 'utf8')));
  return files.flatMap((text) =>
    text
      .split('--> statement-breakpoint')
      .map((statement) => statement.replace(/^\s*(?:--.*\n)*/, '').trim()),
  );
}
