import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedLine } from '#lib/features/calls/testing.ts';
import { type OpenDatabase } from './client.ts';
import { insertWhere } from './insert-where.ts';
import { calls } from './schema/calls.ts';
import { openTestDatabase } from './testing.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
  await seedLine(database.db, 'insert');
});
afterAll(() => database.close());

const at = new Date('2026-03-02T09:00:00.123Z');
const row = {
  id: 'cnv_1',
  workspaceId: 'ws_insert',
  agentId: 'agent_insert',
  outboundPromptId: null,
  direction: 'OUTBOUND',
  carrier: 'simulated',
  agentPhoneNumber: '+15550000001',
  humanPhoneNumber: '+15550000002',
  variables: { name: `Ann "the first" \\ ${'😀'.slice(0, 1)}` },
  tags: ['a, b', "c'd"],
  status: 'queued',
  statusRank: 0,
  usageMonth: '2026-03',
  dateInitiated: at,
  createdAt: at,
  updatedAt: at,
} as const;

it('writes nothing where the condition does not hold', async () => {
  await database.db.execute(insertWhere(calls, { ...row, tags: [...row.tags] }, sql`false`));
  expect(await database.db.$count(calls)).toBe(0);
});

it('writes times, lists, objects and defaults as an insert does, and halves of characters as such', async () => {
  await database.db.execute(insertWhere(calls, { ...row, tags: [...row.tags] }, sql`true`));
  const [written] = await database.db.select().from(calls).where(eq(calls.id, row.id));
  expect(written).toMatchObject({
    ...row,
    variables: { name: 'Ann "the first" \\ \uFFFD' },
    transcript: '',
    durationSeconds: 0,
    leaseOwner: null,
  });
});
