import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

/** File descriptor on which the reason is told; messages of the main thread would wait for it. */
const REASON_FD = 4;
const LOOK_EVERY_MS = 20;

const { shared, memoryBytes, busyMs, parentPid } = workerData as { shared: Int32Array; memoryBytes: number; busyMs: number; parentPid: number };
const pause = new Int32Array(new SharedArrayBuffer(4));
let busy = 0;
let last = performance.now();

for (;;) {
  Atomics.wait(pause, 0, 0, LOOK_EVERY_MS);
  const now = performance.now();
  if (Atomics.load(shared, 0) === 0) busy += now - last;
  last = now;
  if (process.memoryUsage.rss() > memoryBytes) stop('memory');
  if (busy > busyMs) stop('time');
  // The service is gone: nobody waits for this document any more.
  if (process.ppid !== parentPid) process.kill(process.pid, 'SIGKILL');
}

function stop(reason: string): void {
  writeSync(REASON_FD, reason);
  process.kill(process.pid, 'SIGKILL');
}
