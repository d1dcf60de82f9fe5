import { type AsyncQueue, createAsyncQueue } from '#lib/async-queue.ts';
import { estimateWordStarts, shapeOf } from '#lib/media/word-times.ts';
import { collectSpeech } from '#lib/media/samples.ts';
import type { LegEvent, NeverConnectedReason, RecordingTap, SpokenLeg } from '#lib/ports/carrier.ts';
import { SAMPLES_PER_MS } from '#lib/ports/media.ts';
import type { SpeechSynthesizer } from '#lib/ports/speech.ts';
import { createAgentEar, type AgentEar } from './agent-ear.ts';
import { createAgentVoice } from './agent-voice.ts';
import type { SimulatedClock } from './call-clock.ts';
import { passSound } from './pass-sound.ts';
import type { PersonSound } from './person-sound.ts';
import type { Random } from './random.ts';

/** The far end of a simulated call, as the person who plays it sees it. Every method rejects once the call is over. */
export type FarEnd = {
  readonly random: Random;
  readonly ear: AgentEar;
  /** What the person knows of the call. */
  variables(): Record<string, string>;
  ring(): void;
  /** A caller: resolves when the agent takes the call. */
  accepted(): Promise<void>;
  answer(by: 'human' | 'machine'): void;
  say(text: string): Promise<void>;
  beep(): Promise<void>;
  wait(ms: number): Promise<void>;
  hangUp(): void;
  neverConnect(reason: NeverConnectedReason): void;
};

export type Person = (end: FarEnd) => Promise<void>;

/** A leg whose far end is simulated. Its time does not pass until its events are read. */
export type SimulatedLeg = SpokenLeg & {
  readonly clock: SimulatedClock;
  /** Tells the person what the call is about: its variables. */
  tell(variables: Record<string, string>): void;
};

const BEEP_MS = 400;
const TRANSFER_RINGS_MS = 2_000;
/** So long for each character that the other party is told. */
const BRIEFING_MS = 60;
/** A transfer follows the same table as a call: these never answer. */
const UNREACHABLE: Record<string, string> = { '07': 'no answer', '08': 'busy', '09': 'network failure' };

export type SimulatedLegOptions = {
  reference: string;
  clock: SimulatedClock;
  speech: SpeechSynthesizer;
  random: Random;
  person: Person;
  /** What the person speaks with; left out: any of the voices, in English. */
  voice?: { id: string | null; language: string | null };
  /** There where the agent has to hear the person: their sound goes there, and nothing is told of their words. */
  sound?: PersonSound | undefined;
  onClosed(): void;
};

/** A leg whose far end is played by `person`. Both sides really speak; the person hears the words the agent says. */
export function createSimulatedLeg(options: SimulatedLegOptions): SimulatedLeg {
  const { clock } = options;
  const events: AsyncQueue<LegEvent> = createAsyncQueue();
  const closing = new AbortController();
  const taken = Promise.withResolvers<void>();
  const begin = clock.hold();
  let variables: Record<string, string> = {};
  let record: RecordingTap = () => undefined;
  const tap: RecordingTap = (...heard) => record(...heard);
  const ear = createAgentEar(clock, closing.signal);
  const voice = createAgentVoice({ ...options, ear, tap, over: closing.signal });

  function close(last: LegEvent): void {
    if (closing.signal.aborted) return;
    voice.stopSpeaking();
    events.push(last);
    closing.abort(new Error('the call is over'));
    events.close();
    begin();
    taken.reject(closing.signal.reason);
    options.onClosed();
  }
  const hangUpBy = (by: 'human' | 'agent' | 'carrier') => close({ type: 'hangup', atMs: clock.nowMs(), by });
  taken.promise.catch(() => undefined);

  const voiceOfPerson = createPersonVoice({ ...options, events, tap, over: closing.signal });
  const person = options.person({
    random: options.random,
    ear,
    variables: () => variables,
    ring: () => events.push({ type: 'ringing', atMs: clock.nowMs() }),
    accepted: () => taken.promise,
    answer: (by) => {
      ear.reset();
      options.sound?.begin();
      events.push({ type: 'answered', atMs: clock.nowMs(), by });
    },
    ...voiceOfPerson,
    wait: (ms) => clock.sleep(ms, closing.signal),
    hangUp: () => hangUpBy('human'),
    neverConnect: (reason) => close({ type: 'never_connected', atMs: clock.nowMs(), reason }),
  });
  // However a person's part ends, the line must not stay open: an ended part hangs up.
  person.then(
    () => hangUpBy('human'),
    () => hangUpBy('carrier'),
  );

  return {
    reference: options.reference,
    clock,
    events: onFirstRead(events, begin),
    ...voice,
    tell: (told) => void (variables = told),
    record: (to) => void (record = to),
    answer: async () => taken.resolve(),
    hangUp: async () => hangUpBy('agent'),
    async transfer({ to, briefing = '' }) {
      const reason = await ringOther(to, clock, closing.signal);
      if (reason !== undefined) return { ok: false, reason };
      // The other party hears it out, and takes the call.
      if (briefing !== '')
        await clock.sleep(briefing.length * BRIEFING_MS, closing.signal).catch(() => undefined);
      if (closing.signal.aborted) return { ok: false, reason: 'the person hung up' };
      hangUpBy('carrier');
      return { ok: true };
    },
  };
}

function onFirstRead<T>(items: AsyncIterable<T>, act: () => void): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      act();
      return items[Symbol.asyncIterator]();
    },
  };
}

/** Rings whom the person is handed over to; gives why that came to nothing. */
async function ringOther(to: string, clock: SimulatedClock, over: AbortSignal): Promise<string | undefined> {
  if (over.aborted) return 'the call is over';
  try {
    await clock.sleep(TRANSFER_RINGS_MS, over);
  } catch {
    return 'the person hung up';
  }
  return UNREACHABLE[to.replace(/\D/g, '').slice(-2)];
}

/** What the person is heard with, themselves or their answering machine. */
function createPersonVoice(
  options: SimulatedLegOptions & { events: AsyncQueue<LegEvent>; tap: RecordingTap; over: AbortSignal },
): Pick<FarEnd, 'say' | 'beep'> {
  const { clock, speech, events, tap, over, sound } = options;
  const { id: voiceId, language } = options.voice ?? { id: chooseVoice(options), language: 'en-US' };

  return {
    async say(text) {
      over.throwIfAborted();
      const saying = speech.synthesize({ text, voiceId, language, signal: over });
      const samples = await clock.during(collectSpeech(saying));
      over.throwIfAborted();
      if (sound) {
        sound.say(text, samples);
        await passSound({ clock, tap, side: 'human', samples, signal: over });
        return over.throwIfAborted();
      }
      const startedAtMs = clock.nowMs();
      events.push({ type: 'speech_started', atMs: startedAtMs });
      const words = text.split(' ');
      const onHeard = (share: number) => {
        const heard = words.slice(0, Math.floor(words.length * share)).join(' ');
        if (heard !== '') events.push({ type: 'interim', atMs: clock.nowMs(), text: heard });
      };
      await passSound({ clock, tap, side: 'human', samples, signal: over, onHeard });
      over.throwIfAborted();
      const endedAtMs = clock.nowMs();
      events.push({ type: 'speech_stopped', atMs: endedAtMs });
      const wordStartsMs = estimateWordStarts(text, shapeOf(samples));
      events.push({ type: 'utterance', text, startedAtMs, endedAtMs, wordStartsMs });
    },
    async beep() {
      const startedAtMs = clock.nowMs();
      await clock.sleep(BEEP_MS, over);
      tap('human', beepTone(), startedAtMs);
      events.push({ type: 'beep', atMs: clock.nowMs() });
    },
  };
}

/** Anyone but the default voice, which is the agent's unless it was set: two equal voices are hard to follow. */
function chooseVoice({ speech, random }: SimulatedLegOptions): string | null {
  const [first, ...others] = speech.voices.slice(1).map((voice) => voice.id);
  return first === undefined ? null : random.pick([first, ...others]);
}

function beepTone(): Int16Array {
  const samples = new Int16Array(BEEP_MS * SAMPLES_PER_MS);
  for (let index = 0; index < samples.length; index += 1) {
    samples[index] = Math.round(9_000 * Math.sin((2 * Math.PI * 1_000 * index) / 16_000));
  }
  return samples;
}
