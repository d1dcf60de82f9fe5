import { describe, expect, it } from 'vitest';
import { createSilentSpeech } from '#lib/engine/testing.ts';
import type { Leg, LegEvent } from '#lib/ports/carrier.ts';
import { describeCarrier } from '#lib/ports/carrier-conformance.ts';
import { manualClock } from '#lib/ports/testing.ts';
import { createCallClock } from './call-clock.ts';
import { createSimulatedCarrier } from './carrier.ts';

function createCarrier(speed = 0, clock = manualClock()) {
  return {
    clock,
    carrier: createSimulatedCarrier({ speed, speech: createSilentSpeech(), clock }),
  };
}

const dialling = (to: string, reference = 'ref-1') => ({
  reference,
  from: '+15550100001',
  to,
});

async function eventsOf(leg: Leg): Promise<LegEvent[]> {
  const events: LegEvent[] = [];
  for await (const event of leg.events) events.push(event);
  return events;
}

describeCarrier('the simulated carrier', async () => ({
  carrier: createCarrier().carrier,
  answering: '+15550199912',
  busy: '+15550199908',
}));

describe('the simulated carrier', () => {
  it('never rings twice for one reference', async () => {
    const { carrier } = createCarrier();
    const first = await carrier.dial(dialling('+15550199908'));
    expect(await carrier.dial(dialling('+15550199908'))).toBe(first);
    await eventsOf(first);
    expect(await carrier.dial(dialling('+15550199908'))).toBe(first);
  });

  it('knows what became of a dial as long as it lives, and nothing of what another process dialled', async () => {
    const { carrier } = createCarrier();
    expect(await carrier.lookup('ref-1')).toBe('unknown');
    const leg = await carrier.dial(dialling('+15550199908'));
    expect(await carrier.lookup('ref-1')).toBe('in_progress');
    await eventsOf(leg);
    expect(await carrier.lookup('ref-1')).toBe('ended');
    expect(await createCarrier().carrier.lookup('ref-1')).toBe('unknown');
  });

  it('lets people call in without ringing, who wait to be answered', async () => {
    const { carrier } = createCarrier();
    const leg = carrier.callIn({ reference: 'in-1', from: '+15550199910' });
    expect(carrier.callIn({ reference: 'in-1', from: '+15550199910' })).toBe(leg);
    const events = eventsOf(leg);
    await leg.clock.sleep(60_000);
    expect(await carrier.lookup('in-1')).toBe('in_progress');
    await leg.answer();
    expect((await events).map((event) => event.type)).toEqual(['answered', 'hangup']);
  });

  it('lets no time of a call pass before anybody listens to it', async () => {
    const leg = await createCarrier().carrier.dial(dialling('+15550199908'));
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(leg.clock.nowMs()).toBe(0);
    expect((await eventsOf(leg)).at(-1)).toMatchObject({ type: 'never_connected', atMs: 1_500 });
  });

  it('runs at the speed it was told', async () => {
    const { clock, carrier } = createCarrier(10);
    const leg = await carrier.dial(dialling('+15550199907'));
    const events = eventsOf(leg);
    await clock.advance(2_400);
    expect(await carrier.lookup('ref-1')).toBe('in_progress');
    await clock.advance(400);
    expect((await events).at(-1)).toMatchObject({ type: 'never_connected', reason: 'no_answer' });
  });
});

describe('the call clock as fast as possible', () => {
  it('wakes sleepers in the order of their time, however long that is', async () => {
    const clock = createCallClock(0, manualClock());
    const woken: string[] = [];
    const nap = (name: string, ms: number) =>
      clock.sleep(ms).then(() => void woken.push(`${name}@${clock.nowMs()}`));
    await Promise.all([nap('late', 3_600_000), nap('soon', 10), nap('same', 10), nap('now', 0)]);
    expect(woken).toEqual(['now@0', 'soon@10', 'same@10', 'late@3600000']);
  });

  it('stands still while work is done', async () => {
    const clock = createCallClock(0, manualClock());
    let isDone = false;
    const sleeping = clock.sleep(1).then(() => isDone);
    const work = Promise.withResolvers<void>();
    const during = clock.during(work.promise);
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(clock.nowMs()).toBe(0);
    isDone = true;
    work.resolve();
    await during;
    expect(await sleeping).toBe(true);
  });

  it('goes on after work that failed, and forgets sleepers that were called off', async () => {
    const clock = createCallClock(0, manualClock());
    await expect(clock.during(Promise.reject(new Error('no')))).rejects.toThrow('no');
    const abort = new AbortController();
    const sleeping = clock.sleep(1_000, abort.signal);
    abort.abort(new Error('awake'));
    await expect(sleeping).rejects.toThrow('awake');
    await clock.sleep(5);
    expect(clock.nowMs()).toBe(5);
  });
});
