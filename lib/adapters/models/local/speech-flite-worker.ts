import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { WASI } from 'node:wasi';
import { parentPort, workerData } from 'node:worker_threads';
import type { FliteAnswer, FliteJob, FliteThreadData } from './speech-flite-threads.ts';
import { levelVoice } from './speech-voices.ts';
import { decodeWav } from './speech-wav.ts';

/** Runs in a worker thread: synthesis is pure computation (25 ms per second of speech) and must not block calls. */

/** Compiled once for all threads. */
const { module } = workerData as FliteThreadData;

/** One run of `flite`: a fresh instance each time, because a WASI command starts only once. */
async function synthesize(voice: string, text: string): Promise<Int16Array<ArrayBuffer>> {
  const folder = mkdtempSync(join(tmpdir(), 'callwright-speech-'));
  // Flite tells stderr about every sound it has to approximate.
  const nowhere = openSync(devNull, 'w');
  try {
    const wasi = new WASI({
      version: 'preview1',
      args: ['flite', '-voice', voice, '-t', text, '-o', '/out/speech.wav'],
      preopens: { '/out': folder },
      stdout: nowhere,
      stderr: nowhere,
      returnOnExit: true,
    });
    const instance = await WebAssembly.instantiate(module, {
      wasi_snapshot_preview1: wasi.wasiImport as WebAssembly.ModuleImports,
    });
    const exitCode = wasi.start(instance);
    if (exitCode !== 0) throw new Error(`flite ended with code ${exitCode}`);
    return levelVoice(voice, decodeWav(readFileSync(join(folder, 'speech.wav'))));
  } finally {
    closeSync(nowhere);
    rmSync(folder, { recursive: true, force: true });
  }
}

const answer = (message: FliteAnswer, transfer: ArrayBuffer[] = []) =>
  parentPort?.postMessage(message, transfer);

/** In a pause, since it takes a third of the time that a text takes. */
const COLLECT_AFTER_MS = 250;
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
/** Each text leaves 20 MB, which are collected with some later one only otherwise (docs/decisions/0359). */
let collecting: NodeJS.Timeout | undefined;

parentPort?.on('message', ({ id, voice, text }: FliteJob) => {
  clearTimeout(collecting);
  synthesize(voice, text)
    .then(
      (samples) => answer({ id, samples }, [samples.buffer]),
      (error: unknown) => answer({ id, problem: String(error) }),
    )
    .finally(() => (collecting = setTimeout(collectGarbage, COLLECT_AFTER_MS)));
});
