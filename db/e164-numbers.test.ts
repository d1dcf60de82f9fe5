import { readFile } from 'node:fs/promises';
import { asc, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OpenDatabase } from '#db/client.ts';
import { calls } from '#db/schema/calls.ts';
import { openTestDatabase } from '#db/testing.ts';
import { seedLine } from '#lib/features/calls/testing.ts';
import { addEndedCall } from '#lib/features/webhooks/testing.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';

let database: OpenDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

it('older databases get the numbers of people in E.164 form, as a call writes them now', async () => {
  const { db } = database;
  const { actor, agentId } = await seedLine(db, 'numbers');
  const written = ['+15550100001', '5550100002', '15550100003', '442071838750'];
  for (const [place, humanPhoneNumber] of written.entries())
    await addEndedCall(db, { id: `cnv_${place}`, workspaceId: actor.workspaceId, agentId, humanPhoneNumber });
  const file = await readFile(new URL('../drizzle/0007_e164_numbers.sql', import.meta.url), 'utf8');
  await db.execute(sql.raw(file));
  const kept = await db.select({ number: calls.humanPhoneNumber }).from(calls).orderBy(asc(calls.id));
  expect(kept.map((row) => row.number)).toEqual(written.map(parsePhoneNumber));
});
