import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { calls } from '#db/schema/calls.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { endedCall, type SeededLine, seedLine } from '../testing.ts';

let runtime: TestRuntime;

beforeAll(async () => {
  runtime = await startTestRuntime({ worker: true });
});
afterAll(() => runtime.close());

const seed = (name: string, workspace: Parameters<typeof seedLine>[2]) =>
  seedLine(runtime.db, name, workspace);
const ON = { workspace: { hasRecordingAnnouncement: true } };

async function transcriptOf(line: SeededLine, id: string): Promise<string> {
  await endedCall(runtime, line.actor, id);
  const [call] = await runtime.db.select().from(calls).where(eq(calls.id, id));
  return call?.transcript ?? '';
}

async function callOut(line: SeededLine, person: string): Promise<string> {
  const to = parsePhoneNumber(`+155501099${person}`);
  const variables = { name: 'Ann' };
  const { conversationId } = await runtime.calls.queueOutbound(line.actor, {
    from: line.number,
    to,
    variables,
  });
  return transcriptOf(line, conversationId);
}

async function callIn(line: SeededLine): Promise<string> {
  const from = parsePhoneNumber('+15550109900');
  const { callId } = await runtime.calls.simulateInbound(line.actor, { to: line.number, from });
  return transcriptOf(line, callId);
}

it('is the first thing that is heard where it is switched on, in both directions, before the opening', async () => {
  const line = await seed('announced', ON);
  expect(await callOut(line, '00')).toMatch(
    /^Agent: This call is recorded\. Hello Ann, this is the dentist\./,
  );
  expect(await callIn(line)).toMatch(/^Agent: This call is recorded\. \S+/);
});

it('is said in the words of the workspace', async () => {
  const words = 'We record calls to train our staff.';
  const line = await seed('worded', { workspace: { ...ON.workspace, recordingAnnouncement: words } });
  expect(await callOut(line, '00')).toMatch(/^Agent: We record calls to train our staff\. Hello Ann/);
});

it('is not said where it is off, nor to a voicemail', async () => {
  expect(await callOut(await seed('silent', {}), '00')).not.toContain('recorded');
  const message = await callOut(await seed('machine', ON), '05');
  expect(message).toContain('Agent: ');
  expect(message).not.toContain('recorded');
});
