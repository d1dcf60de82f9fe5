import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { breakingStatements } from './breaking-statements.ts';
import { MIGRATIONS, readJournal } from './migrations.ts';

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
