import { parentPort, workerData } from 'node:worker_threads';
import { monotonicClock } from '#lib/adapters/system/clock.ts';
import { systemIds } from '#lib/adapters/system/ids.ts';
import { describeError } from '#lib/log.ts';
import { createFrames } from '#lib/media/frames.ts';
import { SILENT_FRAME } from '#lib/media/media-output.ts';
import { createPacer, type PacerClock } from '#lib/media/pacer.ts';
import { createSampleQueue } from '#lib/media/sample-queue.ts';
import { createSentCount } from '#lib/media/sent-count.ts';
import { FRAME_SAMPLES } from '#lib/ports/media.ts';
import { createRtpPorts, type RtpPorts } from './rtp-ports.ts';
import { createRtpWire, type RtpAgreement, type RtpSummary } from './rtp-wire.ts';

/*
 * Runs in a thread of its own: the sockets of a process's calls, and all that happens to a packet every 20 ms. Whatever
 * else the process is busy with, packets leave in time. The other side is rtp-threads.ts; docs/decisions/0291.
 */

export type RtpThreadData = {
  ports: { first: number; last: number };
  /** What the starting thread's clock showed at the machine's monotonic zero: both tell the same time. */
  clockZeroMs: number;
};

export type ToRtpThread = { id: number } & (
  | { type: 'open'; address: string; cname: string; sent: SharedArrayBuffer }
  | { type: 'agree'; agreement: RtpAgreement }
  | { type: 'start' }
  | { type: 'write'; samples: Int16Array; generation: number }
  | { type: 'press'; digits: string }
  | { type: 'close' }
);

export type FromRtpThread =
  | { type: 'opened'; id: number; port: number }
  | { type: 'refused'; id: number; reason: string }
  | { type: 'digit'; id: number; digit: string }
  | { type: 'silent'; id: number }
  | { type: 'pressed'; id: number; wasSent: boolean }
  | { type: 'closed'; id: number; summary: RtpSummary }
  | { type: 'failed'; error: unknown }
  | SlotReport;

/** What happened at one moment, of all calls at once: a message of its own for each frame would cost more than the frame. */
export type SlotReport = {
  type: 'slot';
  sent: { id: number; before: number; after: number; dueMs: number }[];
  heard: { id: number; atMs: number }[];
  /** Of `heard`, one after the other. */
  frames: Int16Array<ArrayBuffer>;
  counts: { count: number; lateMs: number }[];
};

type Call = {
  write(samples: Int16Array, generation: number): void;
  agree(agreement: RtpAgreement): void;
  start(): void;
  press(digits: string): Promise<boolean>;
  close(): RtpSummary;
};

const { ports: range, clockZeroMs } = workerData as RtpThreadData;
const zeroMs = Number(process.hrtime.bigint()) / 1e6 - performance.now();
const clock: PacerClock = {
  nowMs: () => performance.now() + zeroMs - clockZeroMs,
  sleep: monotonicClock.sleep,
};
const tell = (message: FromRtpThread, transfer: ArrayBuffer[] = []) =>
  parentPort?.postMessage(message, transfer);
const report = createReport();
const pacer = createPacer({
  clock,
  onFailed: (error) => tell({ type: 'failed', error: describeError(error) }),
  count: report.count,
  afterSlot: report.flush,
});
const ports: RtpPorts = createRtpPorts(range);
const calls = new Map<number, Promise<Call>>();

function createReport() {
  let sent: SlotReport['sent'] = [];
  let heard: SlotReport['heard'] = [];
  let frames: Int16Array[] = [];
  let counts: SlotReport['counts'] = [];
  return {
    sent: (entry: SlotReport['sent'][number]) => sent.push(entry),
    heard(entry: SlotReport['heard'][number], frame: Int16Array) {
      heard.push(entry);
      frames.push(frame);
    },
    count: (count: number, lateMs: number) => {
      if (count > 0) counts.push({ count, lateMs });
    },
    flush() {
      if (sent.length === 0 && heard.length === 0) return;
      const joined = new Int16Array(frames.length * FRAME_SAMPLES);
      for (const [index, frame] of frames.entries()) joined.set(frame, index * FRAME_SAMPLES);
      tell({ type: 'slot', sent, heard, frames: joined, counts }, [joined.buffer]);
      sent = [];
      heard = [];
      frames = [];
      counts = [];
    },
  };
}

async function open({ id, address, cname, sent }: Extract<ToRtpThread, { type: 'open' }>): Promise<Call> {
  const sockets = await ports.open(address);
  const wire = createRtpWire({
    sockets,
    pacer,
    clock,
    random32: () => Buffer.from(systemIds.secret(4), 'base64url').readUInt32BE(),
    cname,
    onDigit: (digit) => tell({ type: 'digit', id, digit }),
    onSilent: () => tell({ type: 'silent', id }),
  });
  const queue = createSampleQueue();
  const nextFrame = createFrames();
  const count = createSentCount(sent);
  let generation = 0;
  let stop = () => {};

  /** What was written before the latest cut is not played. */
  function dropCut(): void {
    const latest = count.generation();
    if (latest !== generation) queue.clear();
    generation = latest;
  }

  function sendNext(dueMs: number): void {
    dropCut();
    const before = count.sent();
    let frame = queue.size === 0 ? SILENT_FRAME : nextFrame();
    let samples = queue.size === 0 ? 0 : queue.read(frame);
    if (samples > 0 && !count.add(samples, generation)) {
      // It was cut in between: the frame is not sent, and nobody counts it.
      dropCut();
      frame = SILENT_FRAME;
      samples = 0;
    }
    wire.sendFrame(frame);
    report.sent({ id, before, after: before + samples, dueMs });
  }

  tell({ type: 'opened', id, port: sockets.port });
  return {
    write(samples, writtenIn) {
      dropCut();
      if (writtenIn === generation) queue.add(samples);
    },
    agree: wire.agree,
    start() {
      stop = pacer.start(sendNext);
      wire.start((frame, atMs) => report.heard({ id, atMs }, frame));
    },
    press: wire.pressKeys,
    close() {
      stop();
      queue.clear();
      return wire.close();
    },
  };
}

async function obey(message: ToRtpThread): Promise<void> {
  const { id } = message;
  if (message.type === 'open') {
    const opening = open(message);
    calls.set(id, opening);
    await opening.catch((error: unknown) => {
      calls.delete(id);
      tell({ type: 'refused', id, reason: String(error) });
    });
    return;
  }
  const call = await calls.get(id);
  if (!call) return;
  if (message.type === 'write') call.write(message.samples, message.generation);
  else if (message.type === 'agree') call.agree(message.agreement);
  else if (message.type === 'start') call.start();
  else if (message.type === 'press') tell({ type: 'pressed', id, wasSent: await call.press(message.digits) });
  else {
    calls.delete(id);
    tell({ type: 'closed', id, summary: call.close() });
  }
}

parentPort?.on('message', (message: ToRtpThread) => {
  // A fault of one call ends that call only.
  obey(message).catch((error: unknown) => {
    tell({ type: 'failed', error: describeError(error) });
    tell({ type: 'silent', id: message.id });
  });
});
