import { AppError } from '#lib/errors.ts';
import { joined, mixed, silence } from '#lib/media/testing.ts';
import type { SpeechEvent } from '#lib/ports/carrier.ts';
import type { CallClock } from '#lib/ports/clock.ts';
import { FRAME_MS, FRAME_SAMPLES, SAMPLES_PER_MS } from '#lib/ports/media.ts';
import type { ProviderFailureKind } from '#lib/ports/provider-failure.ts';
import type { Transcriber, Transcription } from '#lib/ports/transcription.ts';
import { listen, type Listening } from './listening.ts';

/** What comes from the far end, one after the other: silence of so many milliseconds, words, or a sound without any. */
export type Script = (number | { sound: Int16Array; text?: string })[];

/** How the scripted transcription answers its n-th question, from 0: after `afterMs`, with another text, or not. */
export type Answering = (
  question: number,
  text: string,
) => Partial<{
  afterMs: number;
  text: string;
  language: string;
  fails: true | ProviderFailureKind;
  isSilent: true;
}>;

export type Ear = {
  events: SpeechEvent[];
  /** When each event became known, in call time. */
  knownAtMs: number[];
  utterances(): (SpeechEvent & { type: 'utterance' })[];
  /** What the transcription was asked, and whether the question was taken back. */
  questions: { text: string; isDropped: boolean; heardMs: number }[];
  openedWith: Parameters<Transcriber['open']>[0] | undefined;
};

export type HearOptions = {
  answering?: Answering;
  language?: string;
  hints?: string[];
  /** What is heard all the time. */
  background?(ms: number): Int16Array;
  /** Called at each frame, for what the agent does meanwhile. */
  onFrame?(nowMs: number, listening: Listening): void;
};

/** Lets `listen` hear a script on a clock that runs by frames, with a transcription that knows the script. */
export async function hear(script: Script, options: HearOptions = {}): Promise<Ear> {
  const clock = createFrameClock();
  const { sound: foreground, words } = layOut(script);
  const background = options.background?.(foreground.length / SAMPLES_PER_MS);
  const sound = background ? mixed(foreground, background) : foreground;
  const ear: Ear = {
    events: [],
    knownAtMs: [],
    utterances: () => ear.events.filter((event) => event.type === 'utterance'),
    questions: [],
    openedWith: undefined,
  };
  let listener: (frame: Int16Array, atMs: number) => void = () => undefined;
  const listening = listen({
    media: {
      onFrame: (next) => {
        listener = next;
      },
    },
    clock,
    transcriber: scriptedTranscriber({ ear, words, clock, answering: options.answering ?? (() => ({})) }),
    options: {
      hints: options.hints ?? [],
      language: options.language ?? 'en-US',
      isMultilingual: false,
      hasBargeIn: true,
    },
    onEvent(event) {
      ear.events.push(event);
      ear.knownAtMs.push(clock.nowMs());
    },
  });
  for (let frame = 0; frame * FRAME_SAMPLES < sound.length; frame += 1) {
    await clock.advanceTo((frame + 1) * FRAME_MS);
    options.onFrame?.(clock.nowMs(), listening);
    const samples = new Int16Array(FRAME_SAMPLES);
    samples.set(sound.subarray(frame * FRAME_SAMPLES, (frame + 1) * FRAME_SAMPLES));
    listener(samples, frame * FRAME_MS);
    // It was lent: whoever keeps it keeps this.
    samples.fill(12_345);
    await settled();
  }
  listening.close();
  return ear;
}

type Words = { text: string; endMs: number };

function layOut(script: Script): { sound: Int16Array; words: Words[] } {
  const words: Words[] = [];
  const parts: Int16Array[] = [];
  let atMs = 0;
  for (const part of script) {
    const sound = typeof part === 'number' ? silence(part) : part.sound;
    parts.push(sound);
    atMs += sound.length / SAMPLES_PER_MS;
    if (typeof part !== 'number' && part.text) words.push({ text: part.text, endMs: atMs });
  }
  return { sound: joined(...parts), words };
}

/** Knows the words of the script that were written to it: those that ended while the stretch was heard. */
function scriptedTranscriber(options: {
  ear: Ear;
  words: Words[];
  clock: CallClock;
  answering: Answering;
}): Transcriber {
  const { ear, words, clock } = options;
  return {
    model: 'scripted',
    open(openedWith) {
      ear.openedWith = openedWith;
      return { begin: () => stretch(clock.nowMs()) };
    },
  };

  function stretch(beganAtMs: number) {
    let heardMs = 0;
    return {
      write: (samples: Int16Array) => {
        heardMs += samples.length / SAMPLES_PER_MS;
      },
      async transcribe(signal: AbortSignal): Promise<Transcription> {
        const spoken = words.filter(({ endMs }) => endMs > beganAtMs - 300 && endMs <= clock.nowMs());
        const text = spoken.map((word) => word.text).join(' ');
        const question = { text, isDropped: false, heardMs };
        ear.questions.push(question);
        signal.addEventListener('abort', () => {
          question.isDropped = true;
        });
        const answer = options.answering(ear.questions.length - 1, text);
        if (answer.isSilent) await new Promise(() => undefined);
        await clock.sleep(answer.afterMs ?? 120, signal);
        if (answer.fails)
          throw new AppError('PROVIDER_FAILED', 'The transcription server is not reachable.', {
            details: { kind: answer.fails === true ? 'no_connection' : answer.fails },
          });
        return { text: answer.text ?? text, ...(answer.language ? { language: answer.language } : {}) };
      },
      end: () => undefined,
    };
  }
}

function createFrameClock(): CallClock & { advanceTo(ms: number): Promise<void> } {
  let nowMs = 0;
  let sleepers: { atMs: number; wake: () => void }[] = [];
  return {
    nowMs: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        sleepers.push({ atMs: nowMs + ms, wake: resolve });
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      }),
    async advanceTo(ms) {
      const due = sleepers.filter(({ atMs }) => atMs <= ms);
      sleepers = sleepers.filter(({ atMs }) => atMs > ms);
      nowMs = ms;
      for (const { wake } of due) wake();
      await settled();
    },
  };
}

/** Lets promises that are due go on. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 8; turn += 1) await Promise.resolve();
}
