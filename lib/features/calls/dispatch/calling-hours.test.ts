/** @module-tag postgres */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { calls } from '#db/schema/calls.ts';
import { workspaces } from '#db/schema/workspaces.ts';
import type { CallingHours } from '#lib/calling-hours/calling-hours.ts';
import { createWorkspacesService } from '#lib/features/workspaces/service.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import type { TestRuntime } from '#lib/runtime-testing.ts';
import { callWorker, startCallsRuntime } from '../execution/testing.ts';
import { type SeededLine, seedLine, shortConversation } from '../testing.ts';

const OFFICE: CallingHours = {
  isOn: true,
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  from: '09:00',
  to: '18:00',
};
const NEW_YORK = parsePhoneNumber('+12125550100');
const BERLIN = parsePhoneNumber('+4930901820');
/** A Monday: six in the morning in New York, noon in Berlin. */
const MORNING = new Date('2026-11-16T11:00:00.000Z');
const NINE_IN_NEW_YORK = new Date('2026-11-16T14:00:00.000Z');

let runtime: TestRuntime;

beforeAll(async () => {
  runtime = await startCallsRuntime();
});
afterAll(() => runtime.close());

/** A process whose clock shows what the test says. */
function worker(startsAt: Date) {
  let at = startsAt;
  const clock = { ...runtime.clock, now: () => at };
  const work = callWorker(runtime, shortConversation(), { clock });
  const settings = createWorkspacesService({
    ...runtime,
    clock,
    ...work.calls,
    retentionEffect: () => Promise.resolve({ action: 'retention' }),
  });
  return { ...work, settings, setClock: (to: Date) => void (at = to) };
}

const seed = (name: string, callingHours = OFFICE) =>
  seedLine(runtime.db, name, { workspace: { callingHours, timeZone: 'Europe/Berlin' } });
const row = async (id: string) => (await runtime.db.select().from(calls).where(eq(calls.id, id)))[0];

type Worker = ReturnType<typeof worker>;
const place = async ({ calls: service }: Worker, line: SeededLine, to = NEW_YORK) =>
  (await service.queueOutbound(line.actor, { from: line.number, to })).conversationId;

async function becomes(id: string, status: string) {
  for (let tries = 0; tries < 400; tries += 1) {
    const call = await row(id);
    if (call?.status === status) return call;
    await runtime.clock.sleep(25);
  }
  throw new Error(`the call did not become ${status}`);
}

it('keeps a call until it is day where the person is, shows until when, and places it then', async () => {
  const line = await seed('waits');
  const here = worker(MORNING);
  const id = await place(here, line);
  const there = await place(here, line, BERLIN);
  await here.dispatcher.fill(line.actor.workspaceId);
  await becomes(there, 'ended');
  expect(await row(id)).toMatchObject({ status: 'queued', leaseOwner: null });
  const shown = await runtime.conversations.getCall(line.actor, id);
  expect(shown.waitsUntil).toEqual({ at: NINE_IN_NEW_YORK.toISOString(), timeZone: 'America/New_York' });
  here.setClock(NINE_IN_NEW_YORK);
  await here.dispatcher.fill(line.actor.workspaceId);
  await becomes(id, 'ended');
  expect(here.carrier.dialled).toHaveLength(2);
});

it('does not place a call any more once the hours closed while it waited for a line', async () => {
  const line = await seed('closed');
  const here = worker(new Date('2026-11-16T22:59:00.000Z'));
  const id = await place(here, line);
  expect(await row(id)).toMatchObject({ notBefore: null });
  here.setClock(new Date('2026-11-16T23:00:00.000Z'));
  await here.dispatcher.fill(line.actor.workspaceId);
  for (let tries = 0; tries < 400 && here.dispatcher.callCount() > 0; tries += 1)
    await runtime.clock.sleep(25);
  expect(await row(id)).toMatchObject({
    status: 'queued',
    leaseOwner: null,
    notBefore: new Date('2026-11-17T14:00:00.000Z'),
    notBeforeZone: 'America/New_York',
  });
  expect(here.carrier.dialled).toEqual([]);
  const { events } = await runtime.conversations.getCall(line.actor, id);
  expect(events.map((event) => event.type)).toEqual(['call.queued', 'call.postponed']);
});

it('plans what waits anew when the hours change, and starts what may start then', async () => {
  const line = await seed('replanned');
  const here = worker(MORNING);
  const ids = await Promise.all(Array.from({ length: 5 }, () => place(here, line)));
  const seven = { ...OFFICE, from: '07:00' };
  await here.settings.update(line.actor, { callingHours: seven });
  for (const id of ids) expect((await row(id))?.notBefore).toEqual(new Date('2026-11-16T12:00:00.000Z'));
  await here.settings.update(line.actor, { callingHours: { ...OFFICE, isOn: false } });
  for (const id of ids) expect(await row(id)).toMatchObject({ notBefore: null, notBeforeZone: null });
  await here.dispatcher.fill(line.actor.workspaceId);
  for (const id of ids) await becomes(id, 'ended');
});

it('plans a call by the hours that hold when it is stored, not by those that were read before', async () => {
  const line = await seed('changing');
  const here = worker(MORNING);
  const off = { ...OFFICE, isOn: false };
  const [placed] = await Promise.all([
    Promise.all(Array.from({ length: 20 }, () => place(here, line))),
    here.settings.update(line.actor, { callingHours: off }),
  ]);
  for (const id of placed) expect((await row(id))?.notBefore).toBeNull();
});

it('refuses hours without a length, and a week without a day', async () => {
  const { updateWorkspace } = await import('#lib/features/workspaces/contract.ts');
  const isTaken = (callingHours: object) => updateWorkspace.body.safeParse({ callingHours }).success;
  expect(isTaken({ ...OFFICE, from: '18:00', to: '09:00' })).toBe(true);
  expect(isTaken({ ...OFFICE, from: '09:00', to: '09:00' })).toBe(false);
  expect(isTaken({ ...OFFICE, perDay: { sat: { from: '10:00', to: '14:00' } } })).toBe(true);
  expect(isTaken({ ...OFFICE, perDay: { sat: { from: '10:00', to: '10:00' } } })).toBe(false);
  expect(isTaken({ ...OFFICE, perDay: { holidays: { from: '10:00', to: '12:00' } } })).toBe(false);
  expect(isTaken({ ...OFFICE, days: [] })).toBe(false);
  expect(isTaken({ ...OFFICE, from: '9' })).toBe(false);
  expect(isTaken({ ...OFFICE, to: '24:00' })).toBe(true);
});

it('is off in a new workspace', async () => {
  const line = await seedLine(runtime.db, 'fresh');
  const found = eq(workspaces.id, line.actor.workspaceId);
  expect((await runtime.db.select().from(workspaces).where(found))[0]?.callingHours.isOn).toBe(false);
});
