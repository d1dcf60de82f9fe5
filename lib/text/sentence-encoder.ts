import { Worker } from 'node:worker_threads';
import { backgroundClock } from '#lib/adapters/system/clock.ts';
import { watchIdle } from '#lib/idle-watch.ts';
import type { Clock } from '#lib/ports/clock.ts';
import type { EncodedTexts, EncodingJob } from './sentence-encoder-thread.ts';

/** So many at a time: a long list of one call lets the sentences of the others in between. */
const BATCH = 8;
/** The thread takes 200 MB, and is ready again in a quarter of a second (docs/decisions/0355). */
const IDLE_MS = 60_000;

type Waiting = { resolve: (vectors: Float32Array) => void; reject: (error: Error) => void };

export type SentenceEncoder = {
  /** Vectors of 512 numbers and length 1, in the order of the texts. Throws where the encoder fails. */
  encode(texts: readonly string[]): Promise<Float32Array[]>;
  isLoaded(): boolean;
};

const shared = createSentenceEncoder({ clock: backgroundClock });

/** English sentences as vectors; what means the same points the same way (Universal Sentence Encoder lite). */
export const encodeSentences: SentenceEncoder['encode'] = shared.encode;

/** Encodes in a thread of its own, which starts with the first sentence and ends when none came for a while. */
export function createSentenceEncoder({ clock }: { clock: Pick<Clock, 'sleep'> }): SentenceEncoder {
  const waiting = new Map<number, Waiting>();
  let thread: Worker | undefined;
  let lastId = 0;
  const idle = watchIdle({
    clock,
    idleMs: IDLE_MS,
    onIdle() {
      if (waiting.size > 0) return;
      const ending = thread;
      thread = undefined;
      void ending?.terminate();
    },
  });

  function run(texts: string[]): Promise<Float32Array> {
    thread ??= start();
    const running = thread;
    return new Promise((resolve, reject) => {
      const id = (lastId += 1);
      waiting.set(id, { resolve, reject });
      running.ref();
      running.postMessage({ id, texts } satisfies EncodingJob);
    });
  }

  function start(): Worker {
    const started = new Worker(new URL('./sentence-encoder-thread.ts', import.meta.url), {
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    started.on('message', ({ id, vectors, problem }: EncodedTexts) => {
      const job = waiting.get(id);
      waiting.delete(id);
      // An idle thread must not keep the process alive.
      if (waiting.size === 0) started.unref();
      idle.touch();
      if (vectors) job?.resolve(vectors);
      else job?.reject(new Error(`The sentence encoder failed: ${problem}`));
    });
    started.on('error', (error) => failAll(String(error)));
    started.on('exit', () => {
      if (thread !== started) return;
      thread = undefined;
      failAll('its thread ended');
    });
    return started;
  }

  function failAll(reason: string): void {
    for (const { reject } of waiting.values()) reject(new Error(`The sentence encoder failed: ${reason}`));
    waiting.clear();
  }

  return {
    isLoaded: () => thread !== undefined,
    async encode(texts) {
      const encoded: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += BATCH) {
        // The encoder takes no empty text.
        const batch = texts.slice(from, from + BATCH).map((text) => (text.trim() === '' ? '.' : text));
        const vectors = await run(batch);
        const size = vectors.length / batch.length;
        for (const index of batch.keys())
          encoded.push(toUnit(vectors.subarray(index * size, (index + 1) * size)));
      }
      return encoded;
    },
  };
}

function toUnit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((part) => part / length);
}
