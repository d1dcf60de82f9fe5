/** @module-tag postgres */
import { readFile } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { breakingStatements } from './breaking-statements.ts';
import { queryRows } from './client.ts';
import { MIGRATIONS, readJournal } from './migrations.ts';
import { openTestDatabase } from './testing.ts';

/** Migrations up to here were written before releases had to run side by side. */
const LAST_UNCHECKED = 17;

it('lets processes of the release before go on while a migration runs and after it', async () => {
  const faults: string[] = [];
  for (const { idx, tag } of (await readJournal()).entries) {
    if (idx <= LAST_UNCHECKED) continue;
    const text = await readFile(`${MIGRATIONS}/${tag}.sql`, 'utf8');
    faults.push(...breakingStatements(text).map((statement) => `${tag}: ${statement}`));
  }
  expect(faults).toEqual([]);
});

it.each([
  ['ALTER TABLE "calls" DROP COLUMN "summary";'],
  ['ALTER TABLE "calls" ADD COLUMN "reason" text NOT NULL;'],
  ['ALTER TABLE "calls" ALTER COLUMN "reason" SET NOT NULL;'],
  ['ALTER TABLE "calls" RENAME COLUMN "a" TO "b";'],
  ['ALTER TABLE "calls" ALTER COLUMN "cost" SET DATA TYPE bigint;'],
  ['DROP TABLE "calls";'],
  ['ALTER TABLE "calls" RENAME TO "talks";'],
])('finds what the release before cannot live with: %s', (statement) => {
  expect(breakingStatements(statement)).toEqual([statement.slice(0, -1)]);
  expect(breakingStatements(`-- contract: unused since 0.2.0\n${statement}`)).toEqual([]);
});

it.each([
  ['ALTER TABLE "calls" ADD COLUMN "reason" text;'],
  ['ALTER TABLE "calls" ADD COLUMN "reason" text DEFAULT \'none\' NOT NULL;'],
  ['CREATE TABLE "drop_column" ("name" text PRIMARY KEY NOT NULL);'],
  ['CREATE INDEX "calls_reason" ON "calls" ("reason");'],
])('has nothing against: %s', (statement) => {
  expect(breakingStatements(statement)).toEqual([]);
});

it('opens a database of a newer release that allows it, and refuses one that does not', async () => {
  const database = await openTestDatabase();
  const { db } = database;
  const made = async () =>
    (
      await queryRows<{ made: string }>(
        db,
        sql`select obj_description('drizzle'::regnamespace, 'pg_namespace') as made`,
      )
    )[0]?.made;
  const last = (await readJournal()).entries.at(-1)?.idx ?? 0;
  try {
    await database.migrate();
    const from = Number(/, opened from migration (\d+)$/.exec((await made()) ?? '')?.[1]);
    expect(from).toBeLessThanOrEqual(last);
    const newer = `functions of migration 9999, abc, opened from migration ${last}`;
    await db.execute(sql.raw(`comment on schema drizzle is '${newer}'`));
    await database.migrate();
    expect(await made()).toBe(newer);
    const tooNew = `functions of migration 9999, abc, opened from migration ${last + 1}`;
    await db.execute(sql.raw(`comment on schema drizzle is '${tooNew}'`));
    await expect(database.migrate()).rejects.toThrow('too old for its database');
  } finally {
    await database.close();
  }
});
