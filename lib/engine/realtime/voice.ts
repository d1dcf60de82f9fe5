import type { CallClock } from '#lib/ports/clock.ts';
import type { RealtimeSession } from '#lib/ports/realtime.ts';
import type { SpeechSynthesizer, SynthesisRequest } from '#lib/ports/speech.ts';
import { CLEARED } from '../timers.ts';

/** A line that the model has not said by then is said by the other voice: nobody waits longer for a line. */
const LINE_MS = 2_500;
/** Of a process; three seconds of speech are 96 KB. */
const MOST_KEPT = 100;

/** Lines of a model's voice that come again on other calls, those that were used last at the end. */
export type KeptLines = Map<string, Int16Array[]>;

export type RealtimeVoice = Pick<SpeechSynthesizer, 'synthesize'> & {
  /** Makes lines before they are needed, one after the other, and keeps them for other calls. */
  prepare(texts: readonly string[]): Promise<void>;
};

/**
 * Says fixed lines with the model's voice, to the letter: sound whose words are not the line's is never heard. `other`
 * says what the model does not, does otherwise, or not in time.
 */
export function createRealtimeVoice(options: {
  session: Pick<RealtimeSession, 'recite'>;
  other: Pick<SpeechSynthesizer, 'synthesize'>;
  clock: CallClock;
  /** Of the model and its voice: lines of another one are no use. */
  name: string;
  language: string | null;
  kept: KeptLines;
  isGivenUp(): boolean;
  signal: AbortSignal;
}): RealtimeVoice {
  const { session, other, clock, kept, signal } = options;
  const making = new Map<string, Promise<Int16Array[]>>();
  const keyOf = (text: string) => `${options.name} ${options.language ?? ''} ${text}`;
  let hasReported = false;

  async function recite(text: string): Promise<Int16Array[]> {
    const parts: Int16Array[] = [];
    let words = '';
    let isWhole = false;
    for await (const event of session.recite({ text, language: options.language, signal })) {
      if (event.type === 'words') words += event.delta;
      if (event.type === 'sound') parts.push(event.samples);
      if (event.type === 'done') isWhole = event.finish === undefined;
    }
    if (!isWhole || parts.length === 0) throw new Error('The line was not said to its end.');
    if (lettersOf(words) !== lettersOf(text)) throw new Error('The line was not said as it is written.');
    return parts;
  }

  function keep(key: string, made: Int16Array[]): void {
    kept.delete(key);
    const [oldest] = kept.keys();
    if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    kept.set(key, made);
  }

  /** The line's sound, made once however often it is asked for meanwhile. */
  function make(text: string): Promise<Int16Array[]> {
    const key = keyOf(text);
    const known = kept.get(key);
    if (known) {
      keep(key, known);
      return Promise.resolve(known);
    }
    const made = making.get(text) ?? recite(text);
    making.set(text, made);
    made
      .then((sound) => keep(key, sound))
      .catch(() => undefined)
      .finally(() => making.delete(text));
    return made;
  }

  async function* synthesize(request: SynthesisRequest) {
    const made = options.isGivenUp()
      ? kept.get(keyOf(request.text))
      : await inTime(make(request.text), request);
    if (made) {
      for (const samples of made) yield { samples };
      return;
    }
    if (!hasReported)
      request.onFallback?.('The realtime model did not say a line as it is written, in time.');
    hasReported = true;
    yield* other.synthesize(request);
  }

  async function inTime(line: Promise<Int16Array[]>, request: SynthesisRequest) {
    const timer = new AbortController();
    const signals = [timer.signal, ...(request.signal ? [request.signal] : [])];
    const late = clock.sleep((request.neededInMs?.() ?? 0) + LINE_MS, AbortSignal.any(signals)).then(
      () => undefined,
      () => undefined,
    );
    const made = await Promise.race([line.catch(() => undefined), late]);
    timer.abort(CLEARED);
    request.signal?.throwIfAborted();
    return made;
  }

  return {
    synthesize,
    async prepare(texts) {
      for (const text of texts) {
        if (signal.aborted || options.isGivenUp()) return;
        await make(text).catch(() => undefined);
      }
    },
  };
}

/** What is heard of a text: marks and capitals are not. */
function lettersOf(text: string): string {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  ).join(' ');
}
