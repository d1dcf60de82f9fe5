import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { callAttempts, calls, transferAttempts } from '#db/schema/calls.ts';
import { openTwilioDouble, type TwilioDouble } from '#lib/adapters/carriers/twilio/double-testing.ts';
import { createFliteSpeech } from '#lib/adapters/models/local/speech-flite.ts';
import { type SeededLine, seedLine } from '#lib/features/calls/testing.ts';
import { levelDb } from '#lib/media/level.ts';
import { collectSpeech } from '#lib/media/samples.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { createUpgradeHandler } from './web-sockets.ts';
import { createWorkerServer } from './worker-http.ts';

/** The service behind a port, with a double of Twilio, both in real time. */
let server: Server;
let runtime: TestRuntime;
let twilio: TwilioDouble;
let voiceUrl: string;
const flite = createFliteSpeech();

beforeAll(async () => {
  twilio = await openTwilioDouble();
  server = createWorkerServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  runtime = await startTestRuntime({
    worker: true,
    env: {
      PUBLIC_URL: publicUrl,
      TWILIO_ACCOUNT_SID: twilio.accountSid,
      TWILIO_AUTH_TOKEN: twilio.authToken,
      TWILIO_API_BASE: twilio.base,
    },
  });
  voiceUrl = `${publicUrl}${runtime.carrierCallbacks.incomingPath('twilio')}`;
  server.on('upgrade', createUpgradeHandler(runtime));
});
afterAll(async () => {
  await runtime.close();
  await twilio.close();
  await flite.close();
  server.closeAllConnections();
  server.close();
});

/** Waits until it is so. As `expect.poll`, which does not know to which of several concurrent tests it belongs. */
function until(what: () => unknown, timeout = 20_000) {
  const wait = (isSo: (value: unknown) => void) =>
    vi.waitFor(async () => isSo(await what()), { interval: 50, timeout });
  return {
    toBe: (value: unknown) => wait((found) => expect(found).toBe(value)),
    toBeGreaterThan: (least: number) => wait((found) => expect(found).toBeGreaterThan(least)),
    toMatchObject: (fields: object) => wait((found) => expect(found).toMatchObject(fields)),
  };
}

const rowOf = async (id: string) => (await runtime.db.select().from(calls).where(eq(calls.id, id)))[0];
const rowsOf = (line: SeededLine) =>
  runtime.db.select().from(calls).where(eq(calls.workspaceId, line.actor.workspaceId));
const seed = (name: string, settings: Parameters<typeof seedLine>[2] = {}) =>
  seedLine(runtime.db, name, { ...settings, number: { carrier: 'twilio', ...settings.number } });

/** Milliseconds in which something is heard; 8 kHz. */
function loudMs(samples: Int16Array): number {
  let frames = 0;
  for (let at = 0; at + 160 <= samples.length; at += 160)
    if (levelDb(samples.subarray(at, at + 160)) > -40) frames += 1;
  return frames * 20;
}

const placedTo = (number: string) => twilio.creates().filter(({ form }) => form.To === number);

/** The call to a number that Twilio was asked to place, once its sound is there. */
async function connected(number: string) {
  const placed = () => twilio.calls.find(({ to }) => to === number);
  await until(() => placed()?.stream?.isOpen(), 30_000).toBe(true);
  const call = placed();
  if (!call?.stream) throw new Error(`${number} was not called`);
  return { call, person: call.stream };
}

const spoken = (text: string) => collectSpeech(flite.synthesize({ text, voiceId: null, language: 'en-US' }));

it(
  'is called: greets within 1.5 s of the answer, and hangs up at Twilio when it ends the call',
  { timeout: 60_000 },
  async () => {
    const line = await seed('incoming', {
      agent: { hasEndCall: true, inboundPrompt: 'You answer the phone for a dentist. Say: Hello, dentist.' },
    });
    const { call, answer } = await twilio.ring(voiceUrl, { from: '+15550107777', to: line.number });
    expect(answer.status).toBe(200);
    await until(() => call.stream?.isOpen()).toBe(true);
    const person = call.stream;
    if (!person) throw new Error('no stream was opened');
    await until(() => loudMs(person.heard())).toBeGreaterThan(0);
    // What was played until then, from the first packet on.
    expect(person.heard().length / 8).toBeLessThan(1_500);
    await until(async () => (await rowsOf(line))[0]?.status).toBe('in_progress');
    await twilio.hangUp(call);
    await until(async () => (await rowsOf(line))[0]?.status).toBe('ended');
    expect((await rowsOf(line))[0]).toMatchObject({
      direction: 'INBOUND',
      humanPhoneNumber: '+15550107777',
      carrierReference: call.sid,
    });
  },
);

it(
  'takes a webhook that comes again for the same call, at once or later, for that call',
  { timeout: 60_000 },
  async () => {
    const line = await seed('again');
    twilio.faults.repeats = true;
    const { call } = await twilio.ring(voiceUrl, { from: '+15550107777', to: line.number });
    twilio.faults.repeats = false;
    const fields = call.form;
    const [one, two] = await Promise.all([twilio.post(voiceUrl, fields), twilio.post(voiceUrl, fields)]);
    expect([one.body, two.body]).toEqual([call.instructions[0], call.instructions[0]]);
    await until(() => call.stream?.isOpen()).toBe(true);
    await twilio.hangUp(call);
    await until(async () => (await rowsOf(line))[0]?.status).toBe('ended');
    // Replayed long after.
    expect((await twilio.post(voiceUrl, fields)).body).toContain('<Hangup/>');
    expect(await rowsOf(line)).toHaveLength(1);
  },
);

it('refuses politely who calls a number without an agent, or one that is switched off', async () => {
  const nobody = await twilio.ring(voiceUrl, { from: '+15550107777', to: '+15550999999' });
  expect(nobody.answer.body).toContain('<Reject/>');
  const off = await seed('off', { agent: { isActive: false } });
  const { answer } = await twilio.ring(voiceUrl, { from: '+15550107777', to: off.number });
  expect(answer.body).toContain('<Say>');
  expect(await rowsOf(off)).toEqual([]);
});

// These mostly wait for speech to be over, and do so together.
it.concurrent(
  'calls out: the person hears the agent, is heard, and both are in the recording',
  { timeout: 60_000 },
  async () => {
    const line = await seed('outgoing');
    const { conversationId: id } = await runtime.calls.queueOutbound(line.actor, {
      from: line.number,
      to: parsePhoneNumber('+15550109900'),
      variables: { name: 'Ann' },
    });
    const { call, person } = await connected('+15550109900');
    expect(call).toMatchObject({ from: line.number, to: '+15550109900' });
    await until(() => loudMs(person.heard())).toBeGreaterThan(1_500);
    person.say(await spoken('Hello, this is Ann, I hear you very well.'));
    await until(() => loudMs(person.heard().subarray(-8_000))).toBe(0);
    await twilio.hangUp(call);
    await until(async () => (await rowOf(id))?.status).toBe('ended');
    const ended = await rowOf(id);
    expect(ended).toMatchObject({ carrier: 'twilio', endReason: expect.stringContaining('hung up') });
    expect(ended?.transcript).toContain('Hello Ann, this is the dentist.');
    expect(ended?.recordingSizeBytes).toBeGreaterThan(100_000);
    expect(placedTo('+15550109900')).toHaveLength(1);
    expect(await runtime.db.$count(callAttempts, eq(callAttempts.callId, id))).toBe(1);
  },
);

it.concurrent('leaves a message where Twilio finds an answering machine', { timeout: 60_000 }, async () => {
  const line = await seed('machine');
  const { conversationId: id } = await runtime.calls.queueOutbound(line.actor, {
    from: line.number,
    to: parsePhoneNumber('+15550109905'),
    variables: { name: 'Ann' },
  });
  const { call } = await connected('+15550109905');
  await twilio.detect(call, 'machine_end_beep');
  await until(() => call.status, 40_000).toBe('completed');
  await until(async () => (await rowOf(id))?.status).toBe('ended');
  expect(await rowOf(id)).toMatchObject({
    disposition: 'VOICEMAIL',
    endReason: 'A message was left on the voicemail.',
  });
});

/** Somebody calls a number whose callers are handed over after the greeting, by way of a word with the colleague. */
async function handedOver(name: string, to: string) {
  const line = await seed(name, {
    agent: {
      hasCallTransfer: true,
      hasAutoInboundTransfer: true,
      inboundTransferNumber: to,
      transferMode: 'warm',
    },
  });
  const { call } = await twilio.ring(voiceUrl, { from: '+15550107777', to: line.number });
  await until(() => call.stream?.isOpen()).toBe(true);
  const person = call.stream;
  if (!person) throw new Error('the caller has no stream');
  return { line, call, person };
}

it.concurrent(
  'hands over with a word to the colleague, and lets both hear each other',
  { timeout: 60_000 },
  async () => {
    const { line, call, person } = await handedOver('warm', '+15550142000');
    const { call: other, person: colleague } = await connected('+15550142000');
    expect(other).toMatchObject({ from: line.number });
    await until(() => loudMs(colleague.heard())).toBeGreaterThan(1_000);
    colleague.press('1');
    await until(async () => {
      const [row] = await rowsOf(line);
      if (!row) return undefined;
      const { events } = await runtime.conversations.getCall(line.actor, row.id);
      return events.find(({ type }) => type === 'transfer')?.data;
    }).toMatchObject({ ok: true, mode: 'warm', to: '+15550142000' });
    await until(() => loudMs(colleague.heard().subarray(-8_000))).toBe(0);
    const before = loudMs(colleague.heard());
    const words = await spoken('Hello, this is Ann, I hear you very well.');
    person.say(words);
    await until(() => loudMs(colleague.heard()) - before).toBeGreaterThan(1_000);
    await until(() => loudMs(person.heard().subarray(-8_000))).toBe(0);
    const heardBefore = loudMs(person.heard());
    colleague.say(words);
    await until(() => loudMs(person.heard()) - heardBefore).toBeGreaterThan(1_000);
    await twilio.hangUp(other);
    await until(async () => (await rowsOf(line))[0]?.status).toBe('ended');
    const [row] = await rowsOf(line);
    expect(row).toMatchObject({ disposition: 'TRANSFERRED', endReason: 'The call was transferred.' });
    await until(() => call.status).toBe('completed');
    const attempts = await runtime.db
      .select()
      .from(transferAttempts)
      .where(eq(transferAttempts.callId, row?.id ?? ''));
    expect(attempts).toMatchObject([{ number: '+15550142000', carrier: 'twilio' }]);
    expect(placedTo('+15550142000')).toHaveLength(1);
  },
);

it.concurrent(
  'comes back to the caller where the colleague does not answer',
  { timeout: 60_000 },
  async () => {
    twilio.manners.set('+15550142007', 'no-answer');
    const { line, call, person } = await handedOver('unanswered', '+15550142007');
    await until(async () => {
      const [row] = await rowsOf(line);
      return (
        row &&
        (await runtime.conversations.getCall(line.actor, row.id)).events.find(
          ({ type }) => type === 'transfer',
        )?.data
      );
    }, 30_000).toMatchObject({ ok: false, reason: 'the other party did not answer' });
    const before = loudMs(person.heard());
    await until(() => loudMs(person.heard()) - before).toBeGreaterThan(1_000);
    await twilio.hangUp(call);
    await until(async () => (await rowsOf(line))[0]?.status).toBe('ended');
  },
);

it('tells nobody anything without the signature of Twilio', async () => {
  const line = await seed('forged');
  twilio.faults.signsWrongly = true;
  const { answer } = await twilio.ring(voiceUrl, { from: '+15550107777', to: line.number });
  twilio.faults.signsWrongly = false;
  expect(answer.status).toBe(403);
  expect(await rowsOf(line)).toEqual([]);
  const tooLarge = await twilio.post(voiceUrl, { CallSid: 'x'.repeat(20_000) });
  expect(tooLarge.status).toBe(400);
});
