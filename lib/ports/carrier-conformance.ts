import { describe, expect, it } from 'vitest';
import type { Carrier, DialRequest, Leg, LegEvent, MediaLeg, RecordingTap, SpokenLeg } from './carrier.ts';
import { FRAME_MS, FRAME_SAMPLES, SAMPLES_PER_MS } from './media.ts';

/** Numbers at which something known happens, at the carrier or its test double. */
export type CarrierScenario = {
  carrier: Carrier;
  /** Answers, and stays on the line without a word. */
  answering: string;
  /** Busy. */
  busy: string;
};

/** What every `Carrier` must do; each adapter's test runs it against itself. */
export function describeCarrier(name: string, open: () => Promise<CarrierScenario>): void {
  describe(`${name} as a carrier`, () => {
    it('reports ringing, answer and hang-up in the order of their times, and then ends', async () => {
      const { carrier, answering } = await open();
      const leg = await carrier.dial(request(answering));
      await leg.answer();
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

    it('carries what the agent says, whole or cut, and nothing once the line is dead', async () => {
      const { carrier, answering } = await open();
      const leg = await carrier.dial(request(answering));
      const carries = 'media' in leg ? mediaCarries(leg) : speechCarries(leg);
      await eventsUntil(leg, async (event) => {
        if (event.type !== 'answered') return;
        await carries.whileOpen();
        await leg.hangUp();
      });
      await carries.onceDead();
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

type Carries = { whileOpen(): Promise<void>; onceDead(): Promise<void> };

/** What every `MediaLeg` must do; frames come in without gaps, and what was played is counted. */
function mediaCarries({ media, clock }: MediaLeg): Carries {
  const frames: { samples: number; atMs: number }[] = [];
  media.onFrame((frame, atMs) => frames.push({ samples: frame.length, atMs }));
  const silence = (ms: number) => new Int16Array(ms * SAMPLES_PER_MS);
  return {
    async whileOpen() {
      expect(media.playedMs()).toBe(0);
      media.write(silence(150));
      media.write(silence(50));
      expect(await media.mark()).toBe(true);
      expect(media.playedMs()).toBeCloseTo(200, 3);
      media.write(silence(1_000));
      const marked = media.mark();
      await clock.sleep(300);
      const playedMs = media.clear();
      expect(await marked).toBe(false);
      expect(playedMs).toBeGreaterThanOrEqual(200 + 200);
      expect(playedMs).toBeLessThan(200 + 500);
      expect(media.playedMs()).toBeLessThanOrEqual(playedMs);
      expect(await media.mark()).toBe(true);
      expect(frames.length).toBeGreaterThanOrEqual(20);
      for (const [index, { samples, atMs }] of frames.entries()) {
        expect(samples).toBe(FRAME_SAMPLES);
        expect(atMs).toBeCloseTo((frames[0]?.atMs ?? 0) + index * FRAME_MS, 3);
      }
    },
    async onceDead() {
      const playedMs = media.playedMs();
      media.write(silence(20));
      expect(await media.mark()).toBe(false);
      media.clear();
      expect(media.playedMs()).toBe(playedMs);
    },
  };
}

/** What every `SpokenLeg` must do; texts follow each other, and what was heard of them is known. */
function speechCarries(leg: SpokenLeg): Carries {
  const line = { voiceId: null, language: null };
  const taps: Parameters<RecordingTap>[] = [];
  leg.record((...heard) => taps.push(heard));
  const tappedMs = (sinceMs: number) =>
    taps
      .filter(([side, , atMs]) => side === 'agent' && atMs >= sinceMs)
      .reduce((total, [, samples]) => total + samples.length / SAMPLES_PER_MS, 0);
  return {
    async whileOpen() {
      const first = leg.speak({ ...line, text: 'Good morning to you.' });
      const second = leg.speak({ ...line, text: 'How are you?' });
      const heard = [await first.finished, await second.finished];
      expect(heard).toMatchObject([
        { heard: 'Good morning to you.', unheard: '', startedAtMs: await first.started },
        { heard: 'How are you?', unheard: '', startedAtMs: await second.started },
      ]);
      const [one, two] = heard;
      expect(one?.endedAtMs).toBeCloseTo((one?.startedAtMs ?? 0) + (one?.heardMs ?? 0), 3);
      expect(two?.startedAtMs).toBeGreaterThanOrEqual(one?.endedAtMs ?? Number.POSITIVE_INFINITY);
      expect(tappedMs(0)).toBeCloseTo((one?.heardMs ?? 0) + (two?.heardMs ?? 0), -2);

      const text = 'This sentence is long enough to be cut in its middle by somebody.';
      const cut = leg.speak({ ...line, text });
      const waiting = leg.speak({ ...line, text: 'Never heard.' });
      const startedAtMs = (await cut.started) ?? Number.NaN;
      await leg.clock.sleep(600);
      leg.stopSpeaking();
      const { heardMs, ...words } = await cut.finished;
      expect(heardMs).toBeGreaterThanOrEqual(500);
      expect(heardMs).toBeLessThan(1_000);
      expect(`${words.heard} ${words.unheard}`.trim()).toBe(text);
      expect(words.unheard).not.toBe('');
      expect(tappedMs(startedAtMs)).toBeCloseTo(heardMs, -2);
      expect(await waiting.started).toBeUndefined();
      expect(await waiting.finished).toMatchObject({ heard: '', unheard: 'Never heard.', heardMs: 0 });
      // The leg goes on speaking after a cut.
      expect(await leg.speak({ ...line, text: 'Sorry.' }).finished).toMatchObject({ heard: 'Sorry.' });
    },
    async onceDead() {
      const late = leg.speak({ ...line, text: 'late' });
      expect(await late.started).toBeUndefined();
      expect(await late.finished).toMatchObject({ heard: '', unheard: 'late', heardMs: 0 });
      leg.stopSpeaking();
    },
  };
}

function request(to: string): DialRequest {
  return { reference: `conformance-${to}`, from: '+15550100001', to };
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
