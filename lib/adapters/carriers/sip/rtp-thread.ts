import { parentPort, workerData } from 'node:worker_threads';
import { monotonicClock } from '#lib/adapters/system/clock.ts';
import { systemIds } from '#lib/adapters/system/ids.ts';
import { describeError } from '#lib/log.ts';
import { createPacer, type PacerClock } from '#lib/media/pacer.ts';
import { type SharedQueueMemory, writeSharedQueue } from '#lib/media/shared-queue.ts';
import { createRtpOutput } from './rtp-output.ts';
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
  slots: SlotMemory;
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
  /** There is something to be read in `SlotMemory`. */
  | { type: 'slot' };

/** What happens at each moment, of all calls, in memory of both threads: messages would cost more than the frames. */
export type SlotMemory = {
  /** [id of the call, samples sent before this frame, and after it, when it was due] */
  sent: SharedQueueMemory;
  /** [id of the call, time of the first sample], and the frame. */
  heard: SharedQueueMemory;
  /** [how many were called together, how late in ms] */
  late: SharedQueueMemory;
  /** Not 0: a message that there is something to be read is under way. */
  isTold: SharedArrayBuffer;
};

type Call = {
  write(samples: Int16Array, generation: number): void;
  agree(agreement: RtpAgreement): void;
  start(): void;
  press(digits: string): Promise<boolean>;
  close(): RtpSummary;
};

const { ports: range, clockZeroMs, slots } = workerData as RtpThreadData;
const zeroMs = Number(process.hrtime.bigint()) / 1e6 - performance.now();
const clock: PacerClock = {
  nowMs: () => performance.now() + zeroMs - clockZeroMs,
  sleep: monotonicClock.sleep,
};
const tell = (message: FromRtpThread) => parentPort?.postMessage(message);
const sent = writeSharedQueue(slots.sent);
const heard = writeSharedQueue(slots.heard);
const late = writeSharedQueue(slots.late);
const isTold = new Int32Array(slots.isTold);
const pacer = createPacer({
  clock,
  onFailed: (error) => tell({ type: 'failed', error: describeError(error) }),
  count: (count, lateMs) => void (count > 0 && late.write([count, lateMs])),
  afterSlot() {
    if (Atomics.exchange(isTold, 0, 1) === 0) tell({ type: 'slot' });
  },
});
const ports: RtpPorts = createRtpPorts(range);
const calls = new Map<number, Promise<Call>>();

async function open(asked: Extract<ToRtpThread, { type: 'open' }>): Promise<Call> {
  const { id, address, cname } = asked;
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
  const output = createRtpOutput(asked.sent);
  let stop = () => {};

  function sendNext(dueMs: number): void {
    const before = output.sent();
    wire.sendFrame(output.next());
    sent.write([id, before, output.sent(), dueMs]);
  }

  tell({ type: 'opened', id, port: sockets.port });
  return {
    write: output.write,
    agree: wire.agree,
    start() {
      stop = pacer.start(sendNext);
      wire.start((frame, atMs) => heard.write([id, atMs], frame));
    },
    press: wire.pressKeys,
    close() {
      stop();
      output.clear();
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
