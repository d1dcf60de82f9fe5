import { createLeadingSilence, trailingSilence } from '#lib/media/silence.ts';
import { SAMPLES_PER_MS } from '#lib/ports/media.ts';
import type { SpeechSynthesizer } from '#lib/ports/speech.ts';
import { createFliteThreads, type FliteThreads } from './speech-flite-threads.ts';
import { splitSpeakable } from './speech-text.ts';
import { LOCAL_VOICES } from './speech-voices.ts';

/** About seventeen minutes of speech: every line that calls have in common, and a bound on memory. */
const CACHE_BYTES = 32 * 1024 * 1024;
/** What an empty or unsayable text sounds like. */
const SILENCE_MS = 200;
/** Between two pieces of a text, the silence that the voice adds to them included. */
const PAUSE_BETWEEN_PIECES_MS = 250;

/**
 * The local voices: Flite as WebAssembly in threads, so that synthesis never blocks the event loop. Speaks English,
 * sentence by sentence; all voices are equally loud. Finished speech is cached by voice and sentence. `close` ends the
 * threads; the next text would start others.
 */
export function createFliteSpeech(
  options: { cacheBytes?: number; mostThreads?: number } = {},
): SpeechSynthesizer & { close(): Promise<void> } {
  const cache = createSpeechCache(options.cacheBytes ?? CACHE_BYTES);
  const threads = createFliteThreads(options.mostThreads);
  const shared = shareWork(threads, cache);

  return {
    voices: LOCAL_VOICES.map(({ id, label, language }) => ({ id, label, language })),
    async *synthesize({ text, voiceId, signal, neededInMs = () => 0 }) {
      signal?.throwIfAborted();
      const voice = LOCAL_VOICES.find((known) => known.id === voiceId)?.id ?? LOCAL_VOICES[0].id;
      const pieces = splitSpeakable(text);
      if (pieces.length === 0) yield { samples: silence(SILENCE_MS) };
      let madeMs = 0;
      let silentAtEnd = 0;
      for (const [index, piece] of pieces.entries()) {
        const madeBeforeMs = madeMs;
        const spoken = await shared(
          { voice, text: piece, neededInMs: () => neededInMs() + madeBeforeMs, signal },
          `${voice}\n${piece}`,
        );
        const samples = index === 0 ? spoken : createLeadingSilence().trim(spoken);
        if (index > 0) {
          const pause = silence(PAUSE_BETWEEN_PIECES_MS - silentAtEnd);
          madeMs += pause.length / SAMPLES_PER_MS;
          yield { samples: pause };
        }
        madeMs += samples.length / SAMPLES_PER_MS;
        silentAtEnd = trailingSilence(samples) / SAMPLES_PER_MS;
        yield { samples };
      }
    },
    close: threads.close,
  };
}

/** Speaks what is not remembered, once for all who ask for it at the same time; called off when none of them wants it. */
function shareWork(threads: FliteThreads, cache: ReturnType<typeof createSpeechCache>) {
  type Work = { samples: Promise<Int16Array>; asking: number; off: AbortController };
  const underway = new Map<string, Work>();

  function begin(request: Parameters<FliteThreads['speak']>[0], key: string): Work {
    const off = new AbortController();
    const samples = threads.speak({ ...request, signal: off.signal }).finally(() => underway.delete(key));
    const work = { samples, asking: 0, off };
    underway.set(key, work);
    samples.then(
      (spoken) => cache.set(key, spoken),
      () => undefined,
    );
    return work;
  }

  return async (request: Parameters<FliteThreads['speak']>[0], key: string): Promise<Int16Array> => {
    const { signal } = request;
    const known = cache.get(key);
    if (known) return known;
    const work = underway.get(key) ?? begin(request, key);
    work.asking += 1;
    const leave = () => {
      work.asking -= 1;
      if (work.asking === 0) work.off.abort(signal?.reason);
    };
    signal?.addEventListener('abort', leave, { once: true });
    try {
      const samples = await work.samples;
      signal?.throwIfAborted();
      return samples;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  };
}

/** Least recently used first out, bounded by bytes. A Map iterates in order of insertion. */
function createSpeechCache(maxBytes: number) {
  const entries = new Map<string, Int16Array>();
  let sizeBytes = 0;
  const remove = (key: string, samples: Int16Array) => {
    entries.delete(key);
    sizeBytes -= samples.byteLength;
  };
  return {
    get(key: string): Int16Array | undefined {
      const found = entries.get(key);
      if (!found) return undefined;
      entries.delete(key);
      entries.set(key, found);
      return found;
    },
    set(key: string, samples: Int16Array): void {
      const previous = entries.get(key);
      if (previous) remove(key, previous);
      entries.set(key, samples);
      sizeBytes += samples.byteLength;
      for (const [oldest, old] of entries) {
        if (sizeBytes <= maxBytes) break;
        remove(oldest, old);
      }
    },
  };
}

function silence(ms: number): Int16Array {
  return new Int16Array(Math.max(0, Math.round(ms)) * SAMPLES_PER_MS);
}
