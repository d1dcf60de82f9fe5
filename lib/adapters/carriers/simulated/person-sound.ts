import { estimateWordStarts, shapeOf } from '#lib/media/word-times.ts';
import { FRAME_MS, FRAME_SAMPLES, type MediaStream, SAMPLES_PER_MS } from '#lib/ports/media.ts';
import type { Clock } from '#lib/ports/clock.ts';
import type { SaidLine } from '#lib/ports/simulated-person.ts';
import type { SpeechStretch, Transcriber } from '#lib/ports/transcription.ts';
import type { SimulatedClock } from './call-clock.ts';

/** Speech is noticed so long after its beginning at most. */
const NOTICED_WITHIN_MS = 800;
/** Call time stands still for a transcription no longer than this; then its patience begins to pass. */
const MOST_HELD_MS = 10_000;

type Utterance = { text: string; samples: Int16Array; startedAtMs: number; endsAtMs: number };

/** The sound of a played person, for an agent that has to listen to it. */
export type PersonSound = {
  onFrame: MediaStream['onFrame'];
  /** The call was answered: from now on there is a frame for each moment, of speech or of silence. */
  begin(): void;
  /** The person says this, from now on. */
  say(text: string, samples: Int16Array): void;
  said(): SaidLine[];
  /** Understands each word that was said, as it is written. */
  writtenWords: Transcriber;
};

/** `over` aborts when the call ends. */
export function createPersonSound(clock: SimulatedClock, over: AbortSignal): PersonSound {
  const utterances: Utterance[] = [];
  let listener: Parameters<MediaStream['onFrame']>[0] = () => undefined;
  let answeredAtMs = 0;

  async function run(): Promise<void> {
    while (!over.aborted) {
      await clock.sleep(FRAME_MS, over);
      const fromMs = clock.nowMs() - FRAME_MS;
      listener(frameAt(utterances.at(-1), fromMs), fromMs);
    }
  }

  return {
    onFrame: (next) => void (listener = next),
    begin() {
      answeredAtMs = clock.nowMs();
      run().catch(() => undefined);
    },
    say(text, samples) {
      const startedAtMs = clock.nowMs();
      utterances.push({
        text,
        samples,
        startedAtMs,
        endsAtMs: startedAtMs + samples.length / SAMPLES_PER_MS,
      });
    },
    said: () =>
      utterances.map(({ text, startedAtMs, endsAtMs }) => ({
        text,
        startedMs: Math.round(startedAtMs - answeredAtMs),
        endedMs: Math.round(endsAtMs - answeredAtMs),
      })),
    writtenWords: createWrittenWords(clock, () => utterances.at(-1)),
  };
}

/** What of an utterance is heard in the frame that begins then; silence around it. */
function frameAt(utterance: Utterance | undefined, fromMs: number): Int16Array {
  const frame = new Int16Array(FRAME_SAMPLES);
  if (!utterance) return frame;
  const from = Math.round((fromMs - utterance.startedAtMs) * SAMPLES_PER_MS);
  const heard = utterance.samples.subarray(Math.max(0, from), Math.max(0, from + FRAME_SAMPLES));
  frame.set(
    heard.subarray(0, FRAME_SAMPLES + Math.min(0, from)),
    Math.max(0, Math.min(FRAME_SAMPLES, -from)),
  );
  return frame;
}

/** Each stretch of speech that is found gives the words that were begun until it was asked about and not given before. */
function createWrittenWords(clock: SimulatedClock, latest: () => Utterance | undefined): Transcriber {
  let known: Utterance | undefined;
  let words: { text: string; atMs: number }[] = [];

  /** Words of before are dropped where their sound was not noticed at all. */
  function look(): void {
    const utterance = latest();
    if (!utterance || utterance === known) return;
    known = utterance;
    const starts = estimateWordStarts(utterance.text, shapeOf(utterance.samples));
    const said = (utterance.text.match(/\S+/g) ?? []).map((text, index) => ({
      text,
      atMs: utterance.startedAtMs + (starts[index] ?? 0),
    }));
    words = [...words, ...said];
  }

  function begin(): SpeechStretch {
    const noticedMs = clock.nowMs() - NOTICED_WITHIN_MS;
    if (known && known.endsAtMs < noticedMs) words = [];
    let given = 0;
    return {
      write: () => undefined,
      async transcribe() {
        look();
        const begun = words.filter(({ atMs }) => atMs <= clock.nowMs());
        given = begun.length;
        return { text: begun.map(({ text }) => text).join(' ') };
      },
      end() {
        words = words.slice(given);
        given = 0;
      },
    };
  }

  return { model: 'written', open: () => ({ begin }) };
}

/** The same; call time stands still while it is asked, as it does for every model on a simulated call. */
export function holdWhileTranscribed(
  transcriber: Transcriber,
  { clock, realClock }: { clock: SimulatedClock; realClock: Clock },
): Transcriber {
  const hold = (transcribe: SpeechStretch['transcribe']): SpeechStretch['transcribe'] => {
    return async (signal) => {
      const answered = new AbortController();
      const asked = transcribe(signal).finally(() => answered.abort(new Error('It has answered')));
      const tooLong = realClock.sleep(MOST_HELD_MS, answered.signal);
      await clock.during(Promise.race([asked, tooLong]).catch(() => undefined));
      return asked;
    };
  };
  return {
    ...transcriber,
    open(options) {
      const stream = transcriber.open(options);
      return {
        begin(onInterim) {
          const stretch = stream.begin(onInterim);
          return {
            ...stretch,
            transcribe: hold(stretch.transcribe),
            ...(stretch.other
              ? { other: { model: stretch.other.model, transcribe: hold(stretch.other.transcribe) } }
              : {}),
          };
        },
      };
    },
  };
}
