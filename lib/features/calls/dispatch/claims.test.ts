import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { calls } from '#db/schema/calls.ts';
import { phoneNumbers } from '#db/schema/numbers.ts';
import { type OpenDatabase } from '#db/client.ts';
import { openTestDatabase } from '#db/testing.ts';
import type { NumberCarrier } from '#lib/ports/carrier-kinds.ts';
import { insertReservedCall } from '../repository.ts';
import { type SeededLine, seedLine } from '../testing.ts';
import { claimCalls, listWorkspacesWithWaitingCalls } from './repository.ts';

const NOON = new Date('2026-03-02T12:00:00.000Z');
const after = (seconds: number) => new Date(NOON.getTime() + seconds * 1000);

let database: OpenDatabase;
let accepted = 0;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** Waiting calls, each a second younger than the one before. */
async function queue(
  line: SeededLine,
  count: number,
  call: { carrier?: NumberCarrier; phoneNumberId?: null } = {},
) {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    accepted += 1;
    const id = `cnv_${String(accepted).padStart(4, '0')}`;
    const createdAt = new Date(NOON.getTime() - 3_600_000 + accepted * 1000);
    await insertReservedCall(database.db, line.actor.workspaceId, {
      id,
      agentId: line.agentId,
      phoneNumberId: line.numberId,
      direction: 'OUTBOUND',
      carrier: 'simulated',
      agentPhoneNumber: line.number,
      humanPhoneNumber: '+15550109900',
      variables: {},
      reservedSeconds: 60,
      usageMonth: '2026-03',
      dateInitiated: createdAt,
      createdAt,
      updatedAt: createdAt,
      ...call,
    });
    ids.push(id);
  }
  return ids;
}

async function claim(
  line: SeededLine,
  atMost: number,
  { at = NOON, owner = 'proc_test', rates = {} as Record<string, number> } = {},
) {
  const lease = { owner, until: new Date(at.getTime() + 15_000) };
  const wanted = { atMost, now: at, lease, callsPerSecond: rates };
  const { claimed, retryAt } = await claimCalls(database.db, line.actor.workspaceId, wanted);
  return { ids: claimed.map(({ call }) => call.id), dialAt: claimed.map(({ dialAt }) => dialAt), retryAt };
}

async function addNumber(line: SeededLine, name: string, maxConcurrentCalls = 10): Promise<SeededLine> {
  const numberId = `pn_${name}`;
  const [number] = await database.db.select().from(phoneNumbers).where(eq(phoneNumbers.id, line.numberId));
  if (!number) throw new Error('the line has no number');
  const added = { ...number, id: numberId, number: `+1555777${accepted.toString().padStart(4, '0')}` };
  await database.db.insert(phoneNumbers).values({ ...added, maxConcurrentCalls });
  return { ...line, numberId };
}

it('claims several calls at once, oldest first, up to the limit of the workspace', async () => {
  const line = await seedLine(database.db, 'several', { workspace: { maxConcurrentCalls: 5 } });
  const ids = await queue(line, 8);
  expect((await claim(line, 3)).ids).toEqual(ids.slice(0, 3));
  expect((await claim(line, 10)).ids).toEqual(ids.slice(3, 5));
  expect((await claim(line, 10)).ids).toEqual([]);
});

it('counts a call as in use until its conversation is over, not until it is wrapped up', async () => {
  const line = await seedLine(database.db, 'inuse', { workspace: { maxConcurrentCalls: 1 } });
  const [talking = '', next = ''] = await queue(line, 2);
  await claim(line, 1);
  await database.db.update(calls).set({ status: 'in_progress', statusRank: 3 }).where(eq(calls.id, talking));
  expect((await claim(line, 1)).ids).toEqual([]);
  await database.db.update(calls).set({ status: 'wrapping_up', statusRank: 4 }).where(eq(calls.id, talking));
  expect((await claim(line, 1)).ids).toEqual([next]);
});

it('keeps to the limit of a number and takes younger calls of another one instead', async () => {
  const line = await seedLine(database.db, 'narrowed', { number: { maxConcurrentCalls: 2 } });
  const narrow = await queue(line, 5);
  const wide = await queue(await addNumber(line, 'wide'), 2);
  expect(new Set((await claim(line, 10)).ids)).toEqual(new Set([...narrow.slice(0, 2), ...wide]));
});

it("takes the only call of a number before the next of a number's long queue", async () => {
  const line = await seedLine(database.db, 'longqueue', { workspace: { maxConcurrentCalls: 4 } });
  const long = await queue(line, 20);
  expect((await claim(line, 3)).ids).toEqual(long.slice(0, 3));
  const only = await queue(await addNumber(line, 'only'), 1);
  expect((await claim(line, 1)).ids).toEqual(only);
});

it('claims calls whose number was deleted', async () => {
  const line = await seedLine(database.db, 'deleted');
  const [kept = ''] = await queue(line, 1);
  const [orphaned = ''] = await queue(line, 1, { phoneNumberId: null });
  expect((await claim(line, 10)).ids.toSorted()).toEqual([kept, orphaned]);
});

it('finds the workspaces with waiting calls, and none whose calls are claimed', async () => {
  const line = await seedLine(database.db, 'waiting');
  await queue(line, 1);
  expect(await listWorkspacesWithWaitingCalls(database.db)).toContain(line.actor.workspaceId);
  await claim(line, 1);
  expect(await listWorkspacesWithWaitingCalls(database.db)).not.toContain(line.actor.workspaceId);
});

it('spaces the calls of a carrier by its rate, whichever process claims them', async () => {
  const line = await seedLine(database.db, 'paced');
  const other = await seedLine(database.db, 'pacedtoo');
  await queue(line, 8, { carrier: 'twilio' });
  await queue(other, 8, { carrier: 'twilio' });
  const rates = { twilio: 4 };
  const first = await claim(line, 3, { rates });
  expect(first.dialAt).toEqual([after(0), after(0.25), after(0.5)]);
  const second = await claim(other, 8, { rates, owner: 'proc_other' });
  expect(second.dialAt).toEqual([after(0.75)]);
  expect(second.retryAt).toEqual(after(0.25));
  expect((await claim(line, 8, { rates, at: after(0.2) })).ids).toEqual([]);
  expect((await claim(line, 8, { rates, at: after(0.5) })).dialAt).toEqual([after(1), after(1.25)]);
  // Nobody called for a while: what was not used is not saved up.
  expect((await claim(other, 8, { rates, at: after(60) })).dialAt).toHaveLength(4);
});

it('keeps to a rate below one call a second', async () => {
  const line = await seedLine(database.db, 'slow');
  await queue(line, 3, { carrier: 'sip' });
  const rates = { sip: 0.3 };
  expect((await claim(line, 3, { rates })).dialAt).toEqual([after(0)]);
  expect((await claim(line, 3, { rates, at: after(3) })).dialAt).toEqual([]);
  expect((await claim(line, 3, { rates, at: after(4) })).dialAt).toEqual([after(4)]);
});

it('does not keep calls of another carrier waiting for one that is at its rate', async () => {
  const line = await seedLine(database.db, 'mixed');
  await queue(line, 3, { carrier: 'sip' });
  const [free = ''] = await queue(line, 1);
  const rates = { sip: 0.01 };
  await claim(line, 1, { rates, at: after(500) });
  expect((await claim(line, 10, { rates, at: after(501) })).ids).toEqual([free]);
});
