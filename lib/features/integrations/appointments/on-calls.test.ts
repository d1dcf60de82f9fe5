import { afterAll, beforeAll, expect, it } from 'vitest';
import { addWorkspace } from '#lib/auth/testing.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { WEEKDAYS } from '#lib/calling-hours/calling-hours.ts';
import { endedCall } from '#lib/features/calls/testing.ts';
import type { CallDetail } from '#lib/features/conversations/contract.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';

/** Two seconds where the machine has nothing else to do. */
const PATIENCE_MS = 100_000;

let runtime: TestRuntime;
let actor: Actor;

beforeAll(async () => {
  runtime = await startTestRuntime({ worker: true });
  actor = await addWorkspace(runtime, 'ws_1');
});
afterAll(() => runtime.close());

/** A call to somebody who agrees on a day and a time, by an agent without a language model. */
async function callWithCalendar(isOpen: boolean): Promise<{ call: CallDetail; integrationId: string }> {
  const made = { name: `Practice ${isOpen}`, kind: 'calendar', address: '' } as const;
  const { id: integrationId } = await runtime.integrations.create(actor, made);
  const week = Object.fromEntries(
    WEEKDAYS.map((day) => [day, isOpen ? [{ from: '00:00', until: '24:00' }] : []]),
  ) as Record<(typeof WEEKDAYS)[number], { from: string; until: string }[]>;
  await runtime.integrations.update(actor, integrationId, {
    calendar: { week, slotMinutes: 15, noticeMinutes: 0 },
  });
  const agent = await runtime.agents.create(actor, { name: 'Desk', inboundPrompt: 'Help callers.' });
  await runtime.agents.updateSettings(actor, agent.id, { integrationIds: [integrationId] });
  await runtime.prompts.create(actor, agent.id, {
    title: 'Check-up',
    instructions: 'Book appointments for check-ups.',
    opening: 'Hello, would you like to book your check-up appointment?',
  });
  const { number } = await runtime.numbers.create(actor, { agentId: agent.id });
  const to = parsePhoneNumber('+15550109901');
  const { conversationId } = await runtime.calls.queueOutbound(actor, { from: number, to, variables: {} });
  return { call: await endedCall(runtime, actor, conversationId), integrationId };
}

it(
  'an agreed time is booked in the calendar, also without a language model, and the call says so',
  async () => {
    const { call, integrationId } = await callWithCalendar(true);
    const booking = call.toolUses.find(({ name }) => name === 'book_appointment');
    expect(booking?.result).toMatchObject({
      ok: true,
      startsAt: call.appointment?.startsAt,
      keptIn: 'the list of appointments',
    });
    const { calendar } = await runtime.integrations.get(actor, integrationId);
    expect(calendar?.appointments).toMatchObject([{ conversationId: call.id, phone: '+15550109901' }]);
    expect(call.tags).toContain('appointment_booked');
  },
  PATIENCE_MS,
);

it(
  'a calendar that is closed books nothing, and the agent says so',
  async () => {
    const { call, integrationId } = await callWithCalendar(false);
    expect(call.toolUses.filter(({ name, result }) => name === 'book_appointment' && result['ok'])).toEqual(
      [],
    );
    expect((await runtime.integrations.get(actor, integrationId)).calendar?.appointments).toEqual([]);
    expect(call.turns.map(({ text }) => text).join(' ')).toMatch(/is closed\. Nothing else is free soon\./);
  },
  PATIENCE_MS,
);
