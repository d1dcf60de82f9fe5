import { createGatheredSamples } from '#lib/media/samples.ts';
import type { CallClock } from '#lib/ports/clock.ts';
import type { RealtimeSession } from '#lib/ports/realtime.ts';
import type {
  SpeechStretch,
  Transcriber,
  Transcription,
  TranscriptionStream,
} from '#lib/ports/transcription.ts';
import { CLEARED } from '../timers.ts';

/** Words that the model's own transcription has not given by then are asked of the other one as well. */
const LATE_MS = 1_500;
/** So often in a row it gave none: the other one is asked at once. */
const MOST_MISSES = 2;

type Open = Parameters<Transcriber['open']>[0];

/**
 * Lets the model hear the person, and takes the words from its session. Where they are late or do not come, `other` gives
 * them: the agent can do without the model's answers, not without words.
 */
export function createRealtimeEars(options: {
  session: RealtimeSession;
  other: Transcriber | undefined;
  clock: CallClock;
  isGivenUp(): boolean;
}): Transcriber {
  return {
    model: options.other?.model ?? 'realtime',
    open: (listening) => openStream({ ...options, listening }),
  };
}

function openStream(
  options: Parameters<typeof createRealtimeEars>[0] & { listening: Open },
): TranscriptionStream {
  const { session, other, listening } = options;
  let stream: TranscriptionStream | undefined;
  let misses = 0;

  function begin(onInterim: (text: string) => void): SpeechStretch {
    const written = createGatheredSamples();
    const own = options.isGivenUp() ? undefined : session.begin(onInterim);
    let second: SpeechStretch | undefined;

    function askOther(signal: AbortSignal): Promise<Transcription> {
      if (!other) return Promise.reject(new Error('There is no other transcription.'));
      stream ??= other.open(listening);
      if (!second) {
        second = stream.begin(own ? () => undefined : onInterim);
        second.write(written.all());
      }
      return second.transcribe(signal);
    }

    async function transcribe(signal: AbortSignal): Promise<Transcription> {
      if (!own) return askOther(signal);
      const asked = own.transcribe(signal);
      if (!other) return asked;
      const isLate = misses >= MOST_MISSES || (await isMissing(asked, options.clock, signal));
      signal.throwIfAborted();
      if (!isLate) {
        misses = 0;
        return asked;
      }
      misses += 1;
      return firstOf(asked, askOther(signal), signal);
    }

    return {
      write(samples) {
        if (other) written.add(samples);
        own?.write(samples);
        second?.write(samples);
      },
      transcribe,
      end() {
        own?.end();
        second?.end();
      },
    };
  }

  return { begin };
}

/** Whether `asked` failed, or has not been answered in time. */
async function isMissing(asked: Promise<unknown>, clock: CallClock, signal: AbortSignal): Promise<boolean> {
  const timer = new AbortController();
  const late = clock.sleep(LATE_MS, AbortSignal.any([signal, timer.signal])).then(
    () => true,
    () => true,
  );
  const answered = asked.then(
    () => false,
    () => true,
  );
  const isLate = await Promise.race([answered, late]);
  timer.abort(CLEARED);
  return isLate;
}

async function firstOf(
  one: Promise<Transcription>,
  other: Promise<Transcription>,
  signal: AbortSignal,
): Promise<Transcription> {
  try {
    return await Promise.any([one, other]);
  } catch {
    signal.throwIfAborted();
    // Both failed: the reason of the second one is the one that a person can do something about.
    return other;
  }
}
