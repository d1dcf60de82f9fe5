import { type AsyncQueue, createAsyncQueue } from '#lib/async-queue.ts';
import type { Leg, LegEvent, NeverConnectedReason, Playout } from '#lib/ports/carrier.ts';
import type { CallClock } from '#lib/ports/clock.ts';
import type { Pcm, SpeechSynthesizer } from '#lib/ports/speech.ts';
import { createAgentEar, type AgentEar } from './agent-ear.ts';
import type { Random } from './random.ts';

/** The far end of a simulated call, as the person who plays it sees it. Every method rejects once the call is over. */
export type FarEnd = {
  readonly random: Random;
  readonly variables: Record<string, string>;
  readonly ear: AgentEar;
  ring(): void;
  answer(by: 'human' | 'machine'): void;
  say(text: string): Promise<void>;
  beep(): Promise<void>;
  wait(ms: number): Promise<void>;
  hangUp(): void;
  neverConnect(reason: NeverConnectedReason): void;
};

export type Person = (end: FarEnd) => Promise<void>;

const BEEP_MS = 400;
const TRANSFER_RINGS_MS = 2_000;
/** A transfer follows the same table as a call: these never answer. */
const UNREACHABLE: Record<string, string> = { '07': 'no answer', '08': 'busy', '09': 'network failure' };

export type SimulatedLegOptions = {
  reference: string;
  clock: CallClock;
  speech: SpeechSynthesizer;
  random: Random;
  variables: Record<string, string>;
  person: Person;
  onClosed(): void;
};

/** A leg whose far end is played by `person`. Both sides really speak; the person hears the words the agent plays. */
export function createSimulatedLeg(options: SimulatedLegOptions): Leg {
  const { clock } = options;
  const events: AsyncQueue<LegEvent> = createAsyncQueue();
  const closing = new AbortController();
  const voiceId = chooseVoice(options);
  const ear = createAgentEar(clock, closing.signal);
  let playing: AbortController | undefined;

  function close(last: LegEvent): void {
    if (closing.signal.aborted) return;
    playing?.abort();
    events.push(last);
    closing.abort(new Error('the call is over'));
    events.close();
    options.onClosed();
  }
  const hangUpBy = (by: 'human' | 'agent' | 'carrier') => close({ type: 'hangup', atMs: clock.nowMs(), by });

  function play({ text, audio }: { text: string; audio: Pcm }): Playout {
    if (closing.signal.aborted) return { finished: Promise.resolve({ heardMs: 0, interrupted: true }) };
    playing?.abort();
    const stop = new AbortController();
    playing = stop;
    const durationMs = audio.samples.length / 16;
    const startedAtMs = clock.nowMs();
    ear.agentStarted(text, durationMs);
    const finished = clock.sleep(durationMs, stop.signal).then(
      () => ({ heardMs: durationMs, interrupted: false }),
      () => ({ heardMs: Math.min(durationMs, clock.nowMs() - startedAtMs), interrupted: true }),
    );
    return {
      finished: finished.then((result) => {
        if (playing === stop) playing = undefined;
        ear.agentStopped();
        return result;
      }),
    };
  }

  async function say(text: string): Promise<void> {
    closing.signal.throwIfAborted();
    const audio = await clock.during(
      options.speech.synthesize({ text, voiceId, language: 'en-US', signal: closing.signal }),
    );
    closing.signal.throwIfAborted();
    const startedAtMs = clock.nowMs();
    events.push({ type: 'speech_started', atMs: startedAtMs });
    await clock.sleep(audio.samples.length / 16, closing.signal);
    const endedAtMs = clock.nowMs();
    events.push({ type: 'speech_stopped', atMs: endedAtMs });
    events.push({ type: 'utterance', text, startedAtMs, endedAtMs, audio });
  }

  const end: FarEnd = {
    random: options.random,
    variables: options.variables,
    ear,
    ring: () => events.push({ type: 'ringing', atMs: clock.nowMs() }),
    answer: (by) => {
      ear.reset();
      events.push({ type: 'answered', atMs: clock.nowMs(), by });
    },
    say,
    beep: async () => {
      await clock.sleep(BEEP_MS, closing.signal);
      events.push({ type: 'beep', atMs: clock.nowMs(), audio: beepTone() });
    },
    wait: (ms) => clock.sleep(ms, closing.signal),
    hangUp: () => hangUpBy('human'),
    neverConnect: (reason) => close({ type: 'never_connected', atMs: clock.nowMs(), reason }),
  };
  // However a person's part ends, the line must not stay open: an ended part hangs up.
  options.person(end).then(
    () => hangUpBy('human'),
    () => hangUpBy('carrier'),
  );

  return {
    reference: options.reference,
    clock,
    events,
    play,
    stopPlaying: () => playing?.abort(),
    hangUp: () => Promise.resolve(hangUpBy('agent')),
    async transfer({ to }) {
      if (closing.signal.aborted) return { ok: false, reason: 'the call is over' };
      try {
        await clock.sleep(TRANSFER_RINGS_MS, closing.signal);
      } catch {
        return { ok: false, reason: 'the person hung up' };
      }
      const unreachable = UNREACHABLE[to.replace(/\D/g, '').slice(-2)];
      if (unreachable) return { ok: false, reason: unreachable };
      hangUpBy('carrier');
      return { ok: true };
    },
  };
}

/** Anyone but the default voice, which is the agent's unless it was set: two equal voices are hard to follow. */
function chooseVoice({ speech, random }: SimulatedLegOptions): string | null {
  const [first, ...others] = speech.voices.slice(1).map((voice) => voice.id);
  return first === undefined ? null : random.pick([first, ...others]);
}

function beepTone(): Pcm {
  const samples = new Int16Array(BEEP_MS * 16);
  for (let index = 0; index < samples.length; index += 1) {
    samples[index] = Math.round(9_000 * Math.sin((2 * Math.PI * 1_000 * index) / 16_000));
  }
  return { samples, sampleRateHz: 16_000 };
}
