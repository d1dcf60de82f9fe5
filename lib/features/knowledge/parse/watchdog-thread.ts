import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

/** File descriptor on which the reason is told; messages of the main thread would wait for it. */
const REASON_FD = 4;
const LOOK_EVERY_MS = 20;
/** Processor time is what a document may cost; on a machine with other work the clock runs on, up to this much more. */
const CLOCK_FACTOR = 1.3;

type Limits = { waits: Float64Array; memoryBytes: number; busyMs: number; parentPid: number };
const { waits, memoryBytes, busyMs, parentPid } = workerData as Limits;
const pause = new Int32Array(new SharedArrayBuffer(4));
const startedAt = Date.now();

for (;;) {
  Atomics.wait(pause, 0, 0, LOOK_EVERY_MS);
  if (process.memoryUsage.rss() > memoryBytes) stop('memory');
  const { user, system } = process.cpuUsage();
  if ((user + system) / 1_000 > busyMs || clockMs() > busyMs * CLOCK_FACTOR) stop('time');
  // The service is gone: nobody waits for this document any more.
  if (process.ppid !== parentPid) process.kill(process.pid, 'SIGKILL');
}

function clockMs(): number {
  const now = Date.now();
  const since = waits[1] ?? 0;
  return now - startedAt - (waits[0] ?? 0) - (since > 0 ? now - since : 0);
}

function stop(reason: string): void {
  writeSync(REASON_FD, reason);
  process.kill(process.pid, 'SIGKILL');
}
