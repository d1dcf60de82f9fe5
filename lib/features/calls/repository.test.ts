import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { calls } from '#db/schema/calls.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import type { CallStatus, CallTrigger } from './machine.ts';
import { moveCall } from './repository.ts';
import { seedLine, type SeededLine } from './testing.ts';

let runtime: TestRuntime;
let line: SeededLine;
beforeAll(async () => {
  runtime = await startTestRuntime();
  line = await seedLine(runtime.db, 'clocks');
});
afterAll(() => runtime.close());

it(
  'a call is never answered before it was placed, nor over before it was answered, however clocks are set meanwhile',
  { tags: ['postgres'] },
  async () => {
    const { db } = runtime;
    const { conversationId: callId } = await runtime.calls.queueOutbound(line.actor, {
      from: line.number,
      to: parsePhoneNumber('+15550109900'),
      variables: { name: 'Ann' },
    });
    const read = async () => (await db.select().from(calls).where(eq(calls.id, callId)))[0];
    const placedAt = (await read())?.dateInitiated ?? new Date();
    const after = (minutes: number) => new Date(placedAt.getTime() + minutes * 60_000);
    const move = (from: CallStatus, trigger: CallTrigger, at: Date, fields = {}) =>
      moveCall(db, line.actor.workspaceId, { callId, from, trigger, at, fields, owner: null });

    await move('queued', 'dial', after(1));
    await move('dialing', 'answer', after(-59), { answeredAt: after(-59) });
    expect(await read()).toMatchObject({ answeredAt: placedAt, updatedAt: after(1) });
    await db
      .update(calls)
      .set({ answeredAt: after(2) })
      .where(eq(calls.id, callId));
    await move('in_progress', 'hang_up', after(-57), { endedAt: after(-57) });
    expect(await read()).toMatchObject({ endedAt: after(2) });
    await move('wrapping_up', 'finish', after(5), { endedAt: after(4) });
    expect(await read()).toMatchObject({ endedAt: after(4), updatedAt: after(5), status: 'ended' });
  },
);
