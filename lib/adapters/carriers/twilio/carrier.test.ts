import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { levelDb } from '#lib/media/level.ts';
import { createPlayedSound } from '#lib/engine/mouth/played-sound.ts';
import { largestStep, tone } from '#lib/media/testing.ts';
import { describeCarrier } from '#lib/ports/carrier-conformance.ts';
import type { NeverConnectedReason } from '#lib/ports/carrier.ts';
import type { CreateFault, DoubleCall, Manner } from './double-testing.ts';
import { followEvents, openTestTwilio, type TestTwilio } from './testing.ts';

const FROM = '+15550100001';
const TO = '+15550109900';
const REQUEST = { reference: 'att_1', from: FROM, to: TO };

let line: TestTwilio;
beforeEach(async () => {
  line = await openTestTwilio();
});
afterEach(async () => {
  await line.close();
  expect(line.double.problems).toEqual([]);
});

describeCarrier('Twilio', async () => {
  line.double.manners.set('+15550109908', 'busy');
  return { carrier: line.carrier, answering: TO, busy: '+15550109908' };
});

/** Looks every few milliseconds, as the double and the network are in real time. */
const until = (what: () => unknown) => expect.poll(what, { interval: 10, timeout: 5_000 });

async function dialled(request = REQUEST) {
  const leg = await line.carrier.dial(request);
  const follow = followEvents(leg);
  await follow.until('answered');
  const [call] = line.double.calls;
  if (!call?.stream) throw new Error('the call has no stream');
  return { leg, follow, call, person: call.stream };
}

async function answered(from = '+15550107777') {
  const { call, answer } = await line.double.ring(line.voiceUrl, { from, to: FROM });
  const leg = await line.carrier.pickUp(call.sid);
  const follow = followEvents(leg);
  await leg.answer();
  await follow.until('answered');
  return { call, answer, leg, follow };
}

/** From here on the carrier waits shorter for what never comes. */
async function hurry(): Promise<void> {
  await line.close();
  line = await openTestTwilio({ isHurried: true });
}

const speech = (ms: number) => tone(ms, { hz: 440, db: -12 });

describe('a call that is dialled', () => {
  it('is placed once, with its instructions and the addresses that tell of it', async () => {
    const { leg, follow } = await dialled();
    await leg.hangUp();
    await follow.done;
    expect(line.double.creates()).toHaveLength(1);
    const [{ form } = { form: {} }] = line.double.creates();
    expect(form).toMatchObject({
      From: FROM,
      To: TO,
      MachineDetection: 'DetectMessageEnd',
      AsyncAmd: 'true',
      StatusCallback: expect.stringMatching(/\/api\/carriers\/twilio\/status\/att_1$/),
    });
    expect(follow.types()).toEqual(['ringing', 'answered', 'hangup']);
    await until(() => line.double.calls[0]?.status).toBe('completed');
  });

  it.each<[Manner, NeverConnectedReason]>([
    ['busy', 'busy'],
    ['no-answer', 'no_answer'],
    ['failed', 'network_failure'],
  ])('that ends as %s was never connected: %s', async (manner, reason) => {
    line.double.manners.set(TO, manner);
    const follow = followEvents(await line.carrier.dial(REQUEST));
    expect(await follow.until('never_connected')).toMatchObject({ reason });
  });

  it('is given up while it rings', async () => {
    line.double.manners.set(TO, 'rings');
    const leg = await line.carrier.dial(REQUEST);
    await followEvents(leg).until('ringing');
    await leg.hangUp();
    await until(() => line.double.calls[0]?.status).toBe('completed');
  });

  it('ends where the person hangs up, however often and in which order that is told', async () => {
    line.double.faults.repeats = true;
    const { follow, call } = await dialled();
    await line.double.hangUp(call);
    await follow.done;
    await line.double.tellStatus(call, 'completed');
    await line.double.tellStatus(call, 'ringing');
    expect(follow.types()).toEqual(['ringing', 'answered', 'hangup']);
    expect(follow.events.at(-1)).toMatchObject({ by: 'human' });
  });

  it('is asked after where callbacks are lost', async () => {
    await hurry();
    line.double.faults.losesCallbacks = true;
    line.double.manners.set(TO, 'no-answer');
    const follow = followEvents(await line.carrier.dial(REQUEST));
    expect(await follow.until('never_connected')).toMatchObject({ reason: 'no_answer' });
  });

  it('goes on where its stream is lost and comes back', async () => {
    const { leg, follow, call, person } = await dialled();
    person.drop();
    await until(() => call.stream && call.stream !== person && call.stream.isOpen()).toBe(true);
    expect(leg.media.isTelephone).toBe(true);
    leg.media.write(speech(400));
    expect(await leg.media.mark()).toBe(true);
    call.stream?.press('7');
    expect(await follow.until('digit')).toMatchObject({ digit: '7' });
    expect(follow.types()).toEqual(['ringing', 'answered', 'digit']);
  });
});

describe('a request that goes wrong', () => {
  it.each<[CreateFault, number]>([
    [{ kind: 'refused', status: 400, code: 21_211 }, 0],
    [{ kind: 'refused', status: 401, code: 20_003 }, 0],
    [{ kind: 'refused', status: 429, code: 20_429 }, 0],
  ])('reaches nobody where it is refused: %j', async (fault, placed) => {
    line.double.faults.create.push(fault);
    const follow = followEvents(await line.carrier.dial(REQUEST));
    await follow.done;
    expect(follow.types()).toEqual(['never_connected']);
    expect(line.double.calls).toHaveLength(placed);
    expect(line.double.creates()).toHaveLength(1);
  });

  it('tells of somebody who does not want to be called', async () => {
    line.double.faults.create.push({ kind: 'refused', status: 400, code: 21_610 });
    const follow = followEvents(await line.carrier.dial(REQUEST));
    expect(await follow.until('never_connected')).toMatchObject({ reason: 'rejected' });
  });

  it.each<CreateFault>([
    { kind: 'silent', taken: true },
    { kind: 'broken', taken: true },
    { kind: 'server_error', taken: true },
  ])('is not made again where it was taken all the same: %j', async (fault) => {
    await hurry();
    line.double.faults.create.push(fault);
    const { leg, person } = await dialled();
    leg.media.write(speech(200));
    expect(await leg.media.mark()).toBe(true);
    expect(person.isOpen()).toBe(true);
    expect(line.double.creates()).toHaveLength(1);
    expect(line.double.calls).toHaveLength(1);
  });

  it('is looked up in the list of calls where nothing else tells of it', { timeout: 15_000 }, async () => {
    line.double.faults.create.push({ kind: 'broken', taken: true });
    line.double.manners.set(TO, 'rings');
    line.double.faults.signsWrongly = true;
    const leg = await line.carrier.dial(REQUEST);
    await leg.hangUp();
    await until(() => line.double.calls[0]?.status).toBe('completed');
    expect(line.double.creates()).toHaveLength(1);
  });

  it('that nobody knows of ends the call, and is not made again', async () => {
    await hurry();
    line.double.faults.create.push({ kind: 'broken', taken: false });
    const follow = followEvents(await line.carrier.dial(REQUEST));
    expect(await follow.until('never_connected')).toMatchObject({ reason: 'network_failure' });
    expect(line.double.creates()).toHaveLength(1);
  });
});

it('shows a number of its own where Twilio does not show the other one, and calls once', async () => {
  line.double.faults.create.push({ kind: 'refused', status: 400, code: 21_210 });
  const leg = await line.carrier.dial({ ...REQUEST, from: TO, ownNumber: FROM });
  await followEvents(leg).until('answered');
  expect(line.double.calls.map(({ from }) => from)).toEqual([FROM]);
});

describe('after a crash', () => {
  const placed = () => ({ from: FROM, to: TO, at: new Date() });
  /** A call that was placed by a process that is gone. */
  async function left(manner: Manner): Promise<DoubleCall> {
    const before = await openTestTwilio();
    before.double.manners.set(TO, manner);
    await before.carrier.dial(REQUEST);
    const [call] = before.double.calls;
    if (!call) throw new Error('no call was placed');
    call.form = {};
    line.double.calls.push(call);
    before.double.calls.length = 0;
    await before.close();
    return call;
  }

  it('a call that still rings is found by its numbers and given up', async () => {
    const call = await left('rings');
    await until(() => call.status).toBe('ringing');
    expect(await line.carrier.lookup('att_1', placed())).toBe('in_progress');
    await until(() => call.status).toBe('completed');
  });

  it('a call that was answered is ended by its name', async () => {
    const before = await openTestTwilio();
    const leg = await before.carrier.dial(REQUEST);
    await followEvents(leg).until('answered');
    const [call] = before.double.calls;
    expect(leg.trace?.()).toEqual({ sid: call?.sid });
    line.double.calls.push(...before.double.calls);
    const trace = leg.trace?.();
    expect(await line.carrier.lookup('att_1', { ...placed(), trace })).toBe('ended');
    await until(() => call?.status).toBe('completed');
    expect(line.double.calls.filter(({ to }) => to === TO)).toContain(call);
    await before.close();
  });

  it('a call that has ended is found as that', async () => {
    const call = await left('busy');
    await until(() => call.status).toBe('busy');
    expect(await line.carrier.lookup('att_1', placed())).toBe('ended');
  });

  it('a call that was never placed is told from one of which nothing is known yet', async () => {
    const long = { ...placed(), at: new Date(Date.now() - 60_000) };
    expect(await line.carrier.lookup('att_1', long)).toBe('never_placed');
    expect(await line.carrier.lookup('att_1', placed())).toBe('unknown');
  });

  it('a stream of a call that nobody runs is refused, and the person is not left on the line', async () => {
    const url = line.voiceUrl.replace(/voice$/, 'after/att_gone');
    const { status, body } = await line.double.post(url, { CallSid: 'CA1', CallStatus: 'in-progress' });
    expect(status).toBe(200);
    expect(body).toContain('<Hangup/>');
  });
});

describe('a call that comes in', () => {
  it('is brought with both numbers, and answered with its stream', async () => {
    const { leg, call, follow } = await answered();
    expect(line.incoming).toEqual([{ reference: call.sid, to: FROM, from: '+15550107777' }]);
    leg.media.write(speech(100));
    expect(await leg.media.mark()).toBe(true);
    await line.double.hangUp(call);
    await follow.done;
    expect(follow.types()).toEqual(['answered', 'hangup']);
  });

  it('hides a caller who withholds the number', async () => {
    await answered('+266696687');
    expect(line.incoming[0]?.from).toBeNull();
  });

  it.each([
    ['unknown_number', /<Reject\/>/],
    ['at_capacity', /<Reject reason="busy"\/>/],
    ['agent_off', /<Say>.*<Hangup\/>/],
    ['usage_limit', /<Say>.*<Hangup\/>/],
    ['failed', /<Say>.*<Hangup\/>/],
  ] as const)('is refused politely: %s', async (reason, twiml) => {
    line.answerWith({ ok: false, reason });
    const { answer } = await line.double.ring(line.voiceUrl, { from: TO, to: FROM });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatch(twiml);
    expect(line.connections).toEqual([]);
  });
});

describe('sound', () => {
  it('is heard on both sides', async () => {
    const { leg, person } = await dialled();
    const frames: Int16Array[] = [];
    leg.media.onFrame((frame) => frames.push(frame.slice()));
    person.say(speech(500));
    leg.media.write(speech(500));
    expect(await leg.media.mark()).toBe(true);
    const loud = (samples: Int16Array) => levelDb(samples) > -25;
    const inMs = (samples: Int16Array, rate: number) =>
      Array.from({ length: Math.floor((samples.length * 50) / rate) }, (_, index) =>
        samples.subarray((index * rate) / 50, ((index + 1) * rate) / 50),
      ).filter(loud).length * 20;
    expect(Math.abs(inMs(person.heard(), 8_000) - 500)).toBeLessThanOrEqual(40);
    await until(() => frames.filter(loud).length * 20).toBeGreaterThanOrEqual(460);
  });

  it('is cut at the far end too where much waits there, and what was heard is known from its marks', async () => {
    line.double.faults.gathers = 10;
    const { leg, person } = await dialled();
    leg.media.write(speech(2_000));
    const marked = leg.media.mark();
    await leg.clock.sleep(600);
    const playedMs = leg.media.clear();
    expect(await marked).toBe(false);
    expect(playedMs).toBeGreaterThan(250);
    expect(playedMs).toBeLessThan(450);
    await until(() => person.messages.some(({ event }) => event === 'clear')).toBe(true);
    expect(person.messages.filter(({ event }) => event === 'mark').length).toBeGreaterThanOrEqual(3);
    expect(leg.media.farEndBuffer?.isDeep()).toBe(true);
    await leg.clock.sleep(200);
    expect(leg.media.playedMs()).toBe(playedMs);
    leg.media.write(speech(100));
    expect(await leg.media.mark()).toBe(true);
  });

  it('is left to end and fade where next to nothing waits at the far end', async () => {
    const { leg, person } = await dialled();
    const sound = createPlayedSound(leg.media);
    sound.output.write(speech(4_000));
    await leg.clock.sleep(600);
    // On a busy machine marks come late for a while.
    await until(() => leg.media.farEndBuffer?.isDeep()).toBe(false);
    const playedMs = sound.output.clear();
    expect(playedMs).toBeGreaterThan(550);
    expect(playedMs).toBeLessThan(3_900);
    await leg.clock.sleep(300);
    expect(person.messages.some(({ event }) => event === 'clear')).toBe(false);
    expect(leg.media.playedMs()).toBe(playedMs);
    const sent = person.sent();
    const last = sent.findLastIndex((sample) => Math.abs(sample) > 8);
    expect(largestStep(sent.subarray(last - 8, last + 40))).toBeLessThan(largestStep(sent) / 4);
  });

  it('counts as played by the clock where marks do not come back', { timeout: 10_000 }, async () => {
    line.double.faults.losesMarks = true;
    const { leg } = await dialled();
    leg.media.write(speech(200));
    expect(await leg.media.mark()).toBe(true);
    expect(leg.media.playedMs()).toBe(200);
  });

  it('has keys in it, pressed as tones, and keys that the person presses', async () => {
    const { leg, follow, person } = await dialled();
    person.press('#');
    expect(await follow.until('digit')).toMatchObject({ digit: '#' });
    await leg.sendDigits?.('15');
    await until(() => levelDb(person.heard().subarray(-1_600)) < -60).toBe(true);
    const loud = person.heard().filter((sample) => Math.abs(sample) > 2_000).length;
    expect(loud).toBeGreaterThan(1_000);
  });

  it('is not disturbed by messages that are none', async () => {
    const { leg, follow, person } = await dialled();
    for (const text of [
      'no json',
      '{}',
      '{"event":"dance"}',
      '{"event":"media"}',
      '{"event":"dtmf","dtmf":{"digit":"12"}}',
    ])
      person.send(text);
    person.press('1');
    await follow.until('digit');
    expect(follow.types()).toEqual(['ringing', 'answered', 'digit']);
    await leg.hangUp();
  });
});

describe('signatures', () => {
  it('are asked for on every webhook and callback', async () => {
    line.double.faults.signsWrongly = true;
    const { answer } = await line.double.ring(line.voiceUrl, { from: TO, to: FROM });
    expect(answer.status).toBe(403);
    expect(line.incoming).toEqual([]);
    for (const topic of ['status/att_1', 'machine/att_1', 'after/att_1', 'transferred/att_1']) {
      const url = line.voiceUrl.replace(/voice$/, topic);
      expect((await line.double.post(url, { CallSid: 'CA1' })).status).toBe(403);
    }
    const unsigned = await fetch(line.voiceUrl, {
      method: 'POST',
      body: new URLSearchParams({ CallSid: 'CA1' }),
    });
    expect(unsigned.status).toBe(403);
  });

  it('are asked for on streams', async () => {
    line.double.faults.signsStreamsWrongly = true;
    const follow = followEvents(await line.carrier.dial(REQUEST));
    expect(await follow.until('never_connected')).toMatchObject({ reason: 'network_failure' });
    expect(line.connections).toEqual([]);
    await until(() => line.double.calls[0]?.status).toBe('completed');
  });

  it('of another account open nothing', async () => {
    const { status } = await line.double.post(line.voiceUrl, {
      AccountSid: 'ACother',
      CallSid: 'CA1',
      From: TO,
      To: FROM,
    });
    expect(status).toBe(400);
    expect(line.incoming).toEqual([]);
  });
});

describe('the answering machine detection', () => {
  it.each([
    ['machine_end_beep', { isGreetingOver: true }],
    ['machine_end_silence', { isGreetingOver: true }],
    ['machine_start', { isGreetingOver: false }],
  ])('tells the engine of %s', async (answeredBy, told) => {
    const { follow, call } = await dialled();
    await line.double.detect(call, answeredBy);
    expect(await follow.until('machine_detected')).toMatchObject(told);
  });

  it('says nothing of people', async () => {
    const { follow, call, person } = await dialled();
    await line.double.detect(call, 'human');
    await line.double.detect(call, 'unknown');
    person.press('1');
    await follow.until('digit');
    expect(follow.types()).toEqual(['ringing', 'answered', 'digit']);
  });
});

describe('a transfer', () => {
  const HUMAN = '+15550142000';

  it('gives the call other instructions, and is over when the other party answers', async () => {
    const { leg, follow, call } = await dialled();
    expect(await leg.transfer({ to: HUMAN, callerId: FROM })).toEqual({ ok: true });
    expect(call.dialled).toEqual([{ to: HUMAN, callerId: FROM }]);
    await follow.done;
    expect(follow.events.at(-1)).toMatchObject({ type: 'hangup', by: 'agent' });
    const ends = line.double.asked.filter(({ form }) => form.Status === 'completed');
    expect(ends).toEqual([]);
  });

  it.each([
    ['busy', 'the other party was busy'],
    ['no-answer', 'the other party did not answer'],
    ['failed', 'the other party could not be reached'],
  ])('that ends as %s brings the call back', async (status, reason) => {
    line.double.transfers.set(HUMAN, status);
    const { leg, follow, call } = await dialled();
    expect(await leg.transfer({ to: HUMAN, callerId: FROM })).toEqual({ ok: false, reason });
    await until(() => call.stream?.isOpen()).toBe(true);
    leg.media.write(speech(200));
    expect(await leg.media.mark()).toBe(true);
    expect(follow.types()).toEqual(['ringing', 'answered']);
  });

  it('that Twilio refuses leaves the call as it is', async () => {
    const { leg, follow, person } = await dialled();
    line.double.faults.update.push(400);
    expect(await leg.transfer({ to: HUMAN, callerId: FROM })).toMatchObject({ ok: false });
    expect(person.isOpen()).toBe(true);
    expect(follow.types()).toEqual(['ringing', 'answered']);
  });

  it('during which the person hangs up is over with the call', async () => {
    line.double.transfers.set(HUMAN, 'rings');
    const { leg, follow, call } = await dialled();
    const transferring = leg.transfer({ to: HUMAN, callerId: FROM });
    await until(() => call.dialled.length).toBe(1);
    await line.double.hangUp(call);
    expect(await transferring).toEqual({ ok: false, reason: 'the call ended' });
    expect(follow.events.at(-1)).toMatchObject({ type: 'hangup', by: 'human' });
  });
});

it('ends a call at Twilio although the first request for it fails', { timeout: 10_000 }, async () => {
  const { leg, call } = await dialled();
  line.double.faults.update.push(503);
  await leg.hangUp();
  await until(() => call.status).toBe('completed');
});
