import { Worker } from 'node:worker_threads';
import { describeError, type Logger } from '#lib/log.ts';
import { createMarks } from '#lib/media/marks.ts';
import { countFrames } from '#lib/media/process-figures.ts';
import { createSentCount } from '#lib/media/sent-count.ts';
import { createSharedQueueMemory, readSharedQueue } from '#lib/media/shared-queue.ts';
import type { CallClock } from '#lib/ports/clock.ts';
import { FRAME_SAMPLES, type MediaStream, SAMPLES_PER_MS } from '#lib/ports/media.ts';
import type { OpenRtp, RtpSession } from './rtp-session.ts';
import type { FromRtpThread, RtpThreadData, SlotMemory, ToRtpThread } from './rtp-thread.ts';
import type { RtpSummary } from './rtp-wire.ts';

const LAST_PACKETS_MS = 500;
/** Of 100 calls: 800 ms during which this thread may be busy with other things. What does not fit waits over there. */
const SLOT_ENTRIES = 4_096;

/** One for all calls: what is heard is lent to the conversation. */
const heardFrame = new Int16Array(FRAME_SAMPLES);

/** Positions count samples. */
type SentFrame = { before: number; after: number; dueMs: number };

export type RtpThread = {
  /** Begins to load the thread, so that the first call does not wait for it. */
  prepare(): void;
  open: OpenRtp;
  close(): Promise<void>;
};

type FromCall = Extract<FromRtpThread, { id: number }>;
type Call = {
  receive(message: FromCall): void;
  sent(entry: SentFrame): void;
  heard(samples: Int16Array, atMs: number): void;
  /** Its thread is gone. */
  lose(): void;
};

/**
 * The thread in which the sound of this process's calls is sent and received (rtp-thread.ts): started with the first call at
 * the latest, and again after it failed, which ends the calls that it had.
 */
export function createRtpThread(options: {
  ports: RtpThreadData['ports'];
  /** The time of this process that does not jump. */
  clock: Pick<CallClock, 'nowMs' | 'sleep'>;
  log: Logger;
}): RtpThread {
  const { ports, clock, log } = options;
  const calls = new Map<number, Call>();
  const closing = new Set<Promise<unknown>>();
  let worker: Worker | undefined;
  let lastId = 0;

  function start(): Worker {
    const clockZeroMs = Number(process.hrtime.bigint()) / 1e6 - clock.nowMs();
    const slots = createSlotMemory();
    const workerData: RtpThreadData = { ports, clockZeroMs, slots };
    const started = new Worker(new URL('./rtp-thread.ts', import.meta.url), {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      workerData,
    });
    const readSlots = createSlotReader(slots, calls);
    started.on('message', (message: FromRtpThread) => {
      // In the order in which it happened.
      readSlots();
      if (message.type !== 'slot') receive(message);
    });
    started.on('error', (error) => log.error({ event: 'rtp_thread_failed', error: describeError(error) }));
    started.on('exit', () => {
      if (worker === started) worker = undefined;
      const lost = [...calls.values()];
      calls.clear();
      for (const call of lost) call.lose();
    });
    return started;
  }

  /** A thread without calls keeps no process alive. */
  function keepAlive(): void {
    if (calls.size > 0) worker?.ref();
    else worker?.unref();
  }

  function receive(message: Exclude<FromRtpThread, { type: 'slot' }>): void {
    if (message.type === 'failed') log.error({ event: 'stream_failed', error: message.error });
    else calls.get(message.id)?.receive(message);
  }

  function tell(message: ToRtpThread, transfer: ArrayBuffer[] = []): void {
    worker?.postMessage(message, transfer);
  }

  return {
    prepare() {
      worker ??= start();
      keepAlive();
    },
    async open(asked) {
      worker ??= start();
      const id = (lastId += 1);
      const call = createRemoteCall({ id, clock, tell, asked });
      calls.set(id, call);
      keepAlive();
      tell({ id, type: 'open', address: asked.address, cname: asked.cname, sent: call.sentCount });
      closing.add(call.over);
      void call.over.then(() => {
        calls.delete(id);
        closing.delete(call.over);
        keepAlive();
      });
      return call.opened;
    },
    async close() {
      // The last packets, which say that it is over.
      await Promise.race([Promise.all(closing), clock.sleep(LAST_PACKETS_MS)]);
      await worker?.terminate();
    },
  };
}

function createSlotMemory(): SlotMemory {
  const queueOf = (numbers: number, samples: number) =>
    createSharedQueueMemory({ numbers, samples, capacity: SLOT_ENTRIES });
  return {
    sent: queueOf(4, 0),
    heard: queueOf(2, FRAME_SAMPLES),
    late: queueOf(2, 0),
    isTold: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT),
  };
}

/** Tells each call what happened to it since it was read before. */
function createSlotReader(memory: SlotMemory, calls: ReadonlyMap<number, Call>): () => void {
  const isTold = new Int32Array(memory.isTold);
  const readSent = readSharedQueue(memory.sent);
  const readHeard = readSharedQueue(memory.heard);
  const readLate = readSharedQueue(memory.late);

  return () => {
    Atomics.store(isTold, 0, 0);
    readLate(([count = 0, lateMs = 0]) => countFrames(count, lateMs));
    readSent(([id = 0, before = 0, after = 0, dueMs = 0]) => calls.get(id)?.sent({ before, after, dueMs }));
    readHeard(([id = 0, atMs = 0], samples) => calls.get(id)?.heard(samples, atMs));
  };
}

type Asked = Parameters<OpenRtp>[0];

/** One call as this thread sees it. What it knows of the other's time and place comes with the reports, in their order. */
function createRemoteCall(options: {
  id: number;
  clock: Pick<CallClock, 'nowMs'>;
  tell(message: ToRtpThread, transfer?: ArrayBuffer[]): void;
  asked: Asked;
}) {
  const { id, clock, tell, asked } = options;
  const memory = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
  const count = createSentCount(memory);
  const marks = createMarks();
  const opened = Promise.withResolvers<RtpSession>();
  const closed = Promise.withResolvers<RtpSummary>();
  const pressed: ((wasSent: boolean) => void)[] = [];
  let written = 0;
  let playing: SentFrame | undefined;
  let told = 0;
  let startedAtMs = 0;
  let isClosed = false;
  let listener: Parameters<MediaStream['onFrame']>[0] | undefined;

  function played(): number {
    if (!playing) return 0;
    const { before, after, dueMs } = playing;
    // What was said to be played is not taken back.
    told = Math.max(told, Math.min(after, before + Math.max(0, clock.nowMs() - dueMs) * SAMPLES_PER_MS));
    return told;
  }

  /** Who listens is let go: signalling remembers a call for half a minute, and would keep all of its conversation. */
  function stop(): void {
    isClosed = true;
    listener = undefined;
    marks.drop(-1);
  }

  function end(summary: RtpSummary): void {
    stop();
    for (const done of pressed.splice(0)) done(false);
    closed.resolve(summary);
  }

  const media: MediaStream = {
    isTelephone: true,
    onFrame(next) {
      listener = next;
    },
    write(samples) {
      if (isClosed) return;
      written += samples.length;
      const copy = samples.slice();
      tell({ id, type: 'write', samples: copy, generation: count.generation() }, [copy.buffer]);
    },
    clear({ fades = false } = {}) {
      written = count.cut({ fades });
      marks.drop(written);
      return written / SAMPLES_PER_MS;
    },
    async mark() {
      if (isClosed) return false;
      return written <= played() ? true : marks.add(written);
    },
    playedMs: () => played() / SAMPLES_PER_MS,
  };

  const session = (port: number): RtpSession => ({
    port,
    media,
    agree: (agreement) => tell({ id, type: 'agree', agreement }),
    start(atMs) {
      if (isClosed) return;
      startedAtMs = atMs;
      tell({ id, type: 'start' });
    },
    pressKeys(digits) {
      if (isClosed) return Promise.resolve(false);
      tell({ id, type: 'press', digits });
      return new Promise((resolve) => pressed.push(resolve));
    },
    close() {
      if (!isClosed) tell({ id, type: 'close' });
      stop();
      return closed.promise;
    },
  });

  return {
    sentCount: memory,
    opened: opened.promise,
    over: closed.promise,
    sent(entry: SentFrame) {
      // The frame before this one is over.
      told = Math.max(told, entry.before);
      playing = entry;
      marks.settle(entry.before);
    },
    heard(samples: Int16Array, atMs: number) {
      if (isClosed || !listener) return;
      heardFrame.set(samples);
      listener(heardFrame, atMs - startedAtMs);
    },
    receive(message: FromCall) {
      if (message.type === 'opened') opened.resolve(session(message.port));
      else if (message.type === 'digit') asked.onDigit(message.digit);
      else if (message.type === 'silent') asked.onSilent();
      else if (message.type === 'pressed') pressed.shift()?.(message.wasSent);
      else if (message.type === 'closed') end(message.summary);
      else {
        opened.reject(new Error(message.reason));
        end(NOTHING);
      }
    },
    lose() {
      opened.reject(new Error('The thread of sound ended'));
      const wasOpen = !isClosed;
      end(NOTHING);
      if (wasOpen) asked.onSilent();
    },
  };
}

const NOTHING: RtpSummary = { packetsSent: 0, packetsReceived: 0, packetsLost: 0, jitterMs: 0 };
