import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { callAttempts } from '#db/schema/calls.ts';
import { webhookDeliveries } from '#db/schema/webhooks.ts';
import type { CallDetail } from '#lib/features/conversations/contract.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { endedCall, type SeededLine, seedLine } from './testing.ts';

// A loaded machine speaks slowly.
vi.setConfig({ testTimeout: 90_000 });

let runtime: TestRuntime;
let line: SeededLine;

beforeAll(async () => {
  runtime = await startTestRuntime({ worker: true });
  line = await seedLine(runtime.db, 'e2e', {
    agent: { hasCallTransfer: true },
    workspace: { webhookUrl: 'https://127.0.0.1/hook' },
  });
});
afterAll(() => runtime.close());

const ended = (actor: SeededLine['actor'], callId: string) => endedCall(runtime, actor, callId);

async function callTo(
  lastDigits: string,
  variables: Record<string, string> = {},
  from = line,
): Promise<CallDetail> {
  const { conversationId } = await runtime.calls.queueOutbound(from.actor, {
    from: from.number,
    to: parsePhoneNumber(`+155501099${lastDigits}`),
    variables,
  });
  return ended(from.actor, conversationId);
}

describe('the simulated numbers', () => {
  it.each([
    ['00', 'COMPLETED', []],
    ['01', 'APPOINTMENT_BOOKED', ['appointment_booked']],
    ['02', 'SCHEDULED_CALLBACK', ['callback_scheduled']],
    ['03', 'COMPLETED', ['not_interested']],
    ['04', 'TRANSFERRED', ['transferred']],
    ['05', 'VOICEMAIL', ['voicemail']],
    ['06', 'VOICEMAIL', ['voicemail_no_message']],
    ['07', 'FAILED', []],
    ['08', 'FAILED', []],
    ['09', 'FAILED', []],
    ['10', 'ABANDONED', []],
    ['11', 'COMPLETED', []],
    ['12', 'ABANDONED', []],
    ['13', 'COMPLETED', ['action_needed']],
  ])('%s ends as %s', async (lastDigits, disposition, tags) => {
    const call = await callTo(lastDigits, { name: 'Ann', question: 'Do you offer teeth whitening?' });
    expect(
      { disposition: call.disposition, tags: call.tags },
      call.turns.map(({ text }) => text).join('\n'),
    ).toEqual({
      disposition,
      tags,
    });
    // Call time must stand still while the service works: a slow machine must not make a call longer.
    expect(call.durationSeconds).toBeLessThan(120);
    const failed = disposition === 'FAILED';
    expect(call.recordingUrl === null).toBe(failed);
    expect(call.turns.length === 0).toBe(failed);
    expect(call.cost === 0).toBe(failed);
    expect(await runtime.db.$count(callAttempts, eq(callAttempts.callId, call.id))).toBe(1);
    expect(await runtime.db.$count(webhookDeliveries, eq(webhookDeliveries.callId, call.id))).toBe(1);
  });

  it('04 without call transfer asks for a follow-up', async () => {
    const plain = await seedLine(runtime.db, 'notransfer');
    const call = await callTo('04', {}, plain);
    expect(call.tags).toContain('action_needed');
    expect(call.tags).not.toContain('transferred');
  });

  it('03 is negative', async () => {
    expect((await callTo('03')).sentiment).toBe('NEGATIVE');
  });
});
