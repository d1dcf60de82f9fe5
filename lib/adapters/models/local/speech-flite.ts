import { Worker } from 'node:worker_threads';
import { AppError } from '#lib/errors.ts';
import { joinSamples } from '#lib/media/samples.ts';
import type { SpeechSynthesizer } from '#lib/ports/speech.ts';
import { splitSpeakable } from './speech-text.ts';
import { decodeWav } from './speech-wav.ts';

/** The names are Flite's own; `awb_time` is left out, it can say nothing but the time. */
const VOICES = [
  { id: 'slt', label: 'Sally (US English, female)', language: 'en-US' },
  { id: 'rms', label: 'Robert (US English, male)', language: 'en-US' },
  { id: 'awb', label: 'Alan (Scottish English, male)', language: 'en-GB' },
  { id: 'kal16', label: 'Kevin (US English, synthetic)', language: 'en-US' },
  { id: 'kal', label: 'Kevin (US English, telephone quality)', language: 'en-US' },
] as const;

/** About seventeen minutes of speech: every line that calls have in common, and a bound on memory. */
const CACHE_BYTES = 32 * 1024 * 1024;
/** What an empty or unsayable text sounds like. */
const SILENCE_MS = 200;
const PAUSE_BETWEEN_PIECES_MS = 120;

type Answer = { id: number; wav?: Uint8Array; problem?: string };
type Waiting = { resolve: (wav: Uint8Array) => void; reject: (error: Error) => void };

/**
 * The local voices: Flite as WebAssembly in a worker thread, so that synthesis never blocks the event loop. Speaks
 * English. Finished speech is cached by voice and text. `close` ends the worker; the next text would start another.
 */
export function createFliteSpeech(
  options: { cacheBytes?: number } = {},
): SpeechSynthesizer & { close(): Promise<void> } {
  const cache = createSpeechCache(options.cacheBytes ?? CACHE_BYTES);
  const flite = createFliteWorker();
  const inFlight = new Map<string, Promise<Int16Array>>();

  async function speak(voice: string, text: string): Promise<Int16Array> {
    const parts: Int16Array[] = [];
    for (const piece of splitSpeakable(text)) {
      if (parts.length > 0) parts.push(silence(PAUSE_BETWEEN_PIECES_MS));
      parts.push(decodeWav(await flite.run(voice, piece)));
    }
    return parts.length === 0 ? silence(SILENCE_MS) : joinSamples(parts);
  }

  return {
    voices: VOICES,
    async *synthesize({ text, voiceId, signal }) {
      signal?.throwIfAborted();
      const voice = VOICES.find((known) => known.id === voiceId)?.id ?? VOICES[0].id;
      const key = `${voice}\n${text}`;
      let samples = cache.get(key);
      if (!samples) {
        const work = inFlight.get(key) ?? speak(voice, text).finally(() => inFlight.delete(key));
        inFlight.set(key, work);
        samples = await work;
        cache.set(key, samples);
      }
      yield { samples };
    },
    close: () => flite.close(),
  };
}

function createFliteWorker() {
  let worker: Worker | undefined;
  let lastId = 0;
  const waiting = new Map<number, Waiting>();

  function failAll(reason: string): void {
    for (const { reject } of waiting.values()) reject(new AppError('PROVIDER_FAILED', reason));
    waiting.clear();
  }

  function start(): Worker {
    const started = new Worker(new URL('./speech-flite-worker.ts', import.meta.url), {
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    started.on('message', (answer: Answer) => {
      const job = waiting.get(answer.id);
      waiting.delete(answer.id);
      // An idle worker must not keep the process alive.
      if (waiting.size === 0) started.unref();
      if (answer.wav) job?.resolve(answer.wav);
      else
        job?.reject(
          new AppError('PROVIDER_FAILED', `The local voice failed: ${answer.problem ?? 'no speech'}`),
        );
    });
    started.on('error', (error) => failAll(`The local voice failed: ${String(error)}`));
    started.on('exit', () => {
      if (worker === started) worker = undefined;
      failAll('The local voice stopped');
    });
    return started;
  }

  return {
    run(voice: string, text: string): Promise<Uint8Array> {
      worker ??= start();
      const running = worker;
      return new Promise((resolve, reject) => {
        const id = (lastId += 1);
        waiting.set(id, { resolve, reject });
        running.ref();
        running.postMessage({ id, voice, text });
      });
    },
    async close(): Promise<void> {
      const running = worker;
      worker = undefined;
      await running?.terminate();
    },
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
  return new Int16Array(ms * 16);
}
