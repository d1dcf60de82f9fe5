import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callEvents, calls } from '#db/schema/calls.ts';
import { webhookDeliveries } from '#db/schema/webhooks.ts';
import { recordingKeyOf } from '#lib/features/recordings/rules.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import type { TestRuntime } from '#lib/runtime-testing.ts';
import { seedLine, shortConversation, untilTold } from '../testing.ts';
import { callWorker, clockAhead, startCallsRuntime, TAKEOVER_MS } from './testing.ts';

let runtime: TestRuntime;

beforeAll(async () => {
  runtime = await startCallsRuntime();
});
afterAll(() => runtime.close());

const SOUND = Buffer.from('the sound of a call');

/** A worker whose conversations are recorded. */
function worker({ aheadMs = 0 } = {}) {
  const recording = {
    sizeBytes: SOUND.byteLength,
    body: (async function* () {
      yield SOUND;
    })(),
  };
  return callWorker(runtime, shortConversation({ recording }), clockAhead(runtime, aheadMs));
}

it('keeps a recording that was stored while the database failed: whoever takes the call over names it', async () => {
  const line = await seedLine(runtime.db, 'unnamed');
  const to = parsePhoneNumber('+15550109901');
  const { conversationId } = await runtime.calls.queueOutbound(line.actor, { from: line.number, to });
  const row = async () => (await runtime.db.select().from(calls).where(eq(calls.id, conversationId))).at(0);
  await runtime.db.execute(sql`create function refuse_recording() returns trigger language plpgsql as $$
    begin raise exception 'the server is shut down' using errcode = '57P01'; end $$`);
  await runtime.db.execute(sql`create trigger refuse_recording before update of recording_key on calls
    for each row when (new.recording_key is not null) execute function refuse_recording()`);

  const first = worker();
  await first.dispatcher.fill(line.actor.workspaceId);
  await first.dispatcher.stop(20_000);
  expect(await row()).toMatchObject({ status: 'wrapping_up', recordingKey: null });
  await runtime.db.execute(sql`drop trigger refuse_recording on calls`);

  const heir = worker({ aheadMs: TAKEOVER_MS });
  await heir.dispatcher.sweep();
  await untilTold([heir], conversationId, async () => (await row())?.status === 'ended');
  expect(await row()).toMatchObject({
    disposition: 'COMPLETED',
    recordingKey: recordingKeyOf(line.actor.workspaceId, conversationId),
    recordingSizeBytes: SOUND.byteLength,
  });
  const lost = and(eq(callEvents.callId, conversationId), eq(callEvents.type, 'recording.lost'));
  expect(await runtime.db.$count(callEvents, lost)).toBe(0);
  const deliveries = eq(webhookDeliveries.callId, conversationId);
  expect(await runtime.db.$count(webhookDeliveries, deliveries)).toBe(1);
  expect(heir.carrier.dialled).toEqual([]);
});
