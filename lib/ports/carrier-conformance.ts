import { describe, expect, it } from 'vitest';
import type { Carrier, DialRequest, Leg, LegEvent } from './carrier.ts';

/** Numbers at which something known happens, at the carrier or its test double. */
export type CarrierScenario = {
  carrier: Carrier;
  /** Answers, and stays on the line without a word. */
  answering: string;
  /** Busy. */
  busy: string;
};

const second = { samples: new Int16Array(16_000), sampleRateHz: 16_000 as const };

/** What every `Carrier` must do; each adapter's test runs it against itself. */
export function describeCarrier(name: string, open: () => Promise<CarrierScenario>): void {
  describe(`${name} as a carrier`, () => {
    it('reports ringing, answer and hang-up in the order of their times, and then ends', async () => {
      const { carrier, answering } = await open();
      const leg = await carrier.dial(request(answering));
      const events = await eventsUntil(leg, async (event) => {
        if (event.type === 'answered') await leg.hangUp();
      });
      const types = events.map((event) => event.type);
      expect(types.filter((type) => type !== 'ringing')).toEqual(['answered', 'hangup']);
      expect(events.at(-1)).toMatchObject({ type: 'hangup', by: 'agent' });
      const times = events.flatMap((event) => ('atMs' in event ? [event.atMs] : []));
      expect(times).toEqual(times.toSorted((one, other) => one - other));
    });

    it('says why a call was never connected, and then ends', async () => {
      const { carrier, busy } = await open();
      const events = await eventsUntil(await carrier.dial(request(busy)));
      expect(events.at(-1)).toMatchObject({ type: 'never_connected', reason: 'busy' });
    });

    it('does not dial again for a reference that was dialled', async () => {
      const { carrier, busy } = await open();
      const first = await carrier.dial(request(busy));
      expect((await carrier.dial(request(busy))).reference).toBe(first.reference);
      expect(await carrier.lookup(first.reference)).toBe('in_progress');
      await eventsUntil(first);
      expect(await carrier.lookup(first.reference)).toBe('ended');
      await carrier.dial(request(busy));
      expect(await carrier.lookup(first.reference)).toBe('ended');
    });

    it('counts what was heard of speech, whole or cut', async () => {
      const { carrier, answering } = await open();
      const leg = await carrier.dial(request(answering));
      await eventsUntil(leg, async (event) => {
        if (event.type !== 'answered') return;
        expect(await leg.play({ text: 'a second', audio: second }).finished).toEqual({
          heardMs: 1_000,
          interrupted: false,
        });
        const cut = leg.play({ text: 'a second', audio: second });
        await leg.clock.sleep(300);
        leg.stopPlaying();
        const { heardMs, interrupted } = await cut.finished;
        expect(interrupted).toBe(true);
        expect(heardMs).toBeGreaterThanOrEqual(300);
        expect(heardMs).toBeLessThan(1_000);
        await leg.hangUp();
      });
      // The line is dead: nothing is heard, and nothing throws.
      expect(await leg.play({ text: 'late', audio: second }).finished).toEqual({
        heardMs: 0,
        interrupted: true,
      });
      leg.stopPlaying();
      await leg.hangUp();
      expect(await leg.transfer({ to: answering, callerId: '+15550100001' })).toMatchObject({ ok: false });
    });

    it('ends the leg when the person was handed over', async () => {
      const { carrier, answering } = await open();
      const leg = await carrier.dial(request(answering));
      let transferred: Awaited<ReturnType<Leg['transfer']>> | undefined;
      const events = await eventsUntil(leg, async (event) => {
        if (event.type === 'answered')
          transferred = await leg.transfer({ to: '+15550142000', callerId: '+15550100001' });
      });
      expect(transferred).toEqual({ ok: true });
      expect(events.at(-1)?.type).toBe('hangup');
    });
  });
}

function request(to: string): DialRequest {
  const listening = { hints: [], language: null, isMultilingual: false, hasBargeIn: true };
  return { reference: `conformance-${to}`, from: '+15550100001', to, variables: {}, listening };
}

/** All events of the leg. `act` does something about one while the others keep coming. */
async function eventsUntil(leg: Leg, act?: (event: LegEvent) => Promise<void>): Promise<LegEvent[]> {
  const events: LegEvent[] = [];
  const acts: Promise<void>[] = [];
  for await (const event of leg.events) {
    events.push(event);
    if (act) acts.push(act(event));
  }
  await Promise.all(acts);
  return events;
}
