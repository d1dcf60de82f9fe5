import { Worker } from 'node:worker_threads';
import type { EncodedTexts, EncodingJob } from './sentence-encoder-thread.ts';

/** So many at a time: a long list of one call lets the sentences of the others in between. */
const BATCH = 8;

type Waiting = { resolve: (vectors: Float32Array) => void; reject: (error: Error) => void };

let thread: Worker | undefined;
let lastId = 0;
const waiting = new Map<number, Waiting>();

/**
 * English sentences as vectors of 512 numbers and length 1; what means the same points the same way (Universal Sentence
 * Encoder lite, in a thread of its own that starts with the first sentence). Throws where the encoder fails.
 */
export async function encodeSentences(texts: readonly string[]): Promise<Float32Array[]> {
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
}

function toUnit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((part) => part / length);
}

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
    if (vectors) job?.resolve(vectors);
    else job?.reject(new Error(`The sentence encoder failed: ${problem}`));
  });
  started.on('error', (error) => failAll(String(error)));
  started.on('exit', () => {
    if (thread === started) thread = undefined;
    failAll('its thread ended');
  });
  return started;
}

function failAll(reason: string): void {
  for (const { reject } of waiting.values()) reject(new Error(`The sentence encoder failed: ${reason}`));
  waiting.clear();
}
