/**
 * How late frames leave the process: `npx node bench/media/pacing.ts [streams] [seconds] [busy processes]`. Each
 * stream writes speech and sends a frame every 20 ms to a UDP port of its own process, while as many other processes
 * as asked keep the processors busy.
 */
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { monotonicClock } from '#lib/adapters/system/clock.ts';
import { createMediaOutput } from '#lib/media/media-output.ts';
import { createPacer, type Pacer } from '#lib/media/pacer.ts';
import { SAMPLE_RATE_HZ } from '#lib/ports/media.ts';

const [streams = 100, seconds = 20, busy = 2] = process.argv.slice(2).map(Number);

const others = Array.from({ length: busy }, () =>
  spawn(process.execPath, ['-e', 'for (;;) Math.sqrt(Math.random())'], { stdio: 'ignore' }),
);
const lateMs: number[] = [];
const real = createPacer({ clock: monotonicClock, onFailed: console.error });
const measured: Pacer = {
  start: (onFrame) =>
    real.start((dueMs) => {
      onFrame(dueMs);
      lateMs.push(monotonicClock.nowMs() - dueMs);
    }),
};
const socket = createSocket('udp4');
const sink = createSocket('udp4');
await new Promise<void>((resolve) => sink.bind(0, '127.0.0.1', resolve));
const { port } = sink.address();
const outputs = Array.from({ length: streams }, () =>
  createMediaOutput({
    pacer: measured,
    clock: monotonicClock,
    send: (frame) => socket.send(Buffer.from(frame.buffer), port, '127.0.0.1'),
  }),
);
const usedBefore = process.cpuUsage();
const beganAt = performance.now();
const second = new Int16Array(SAMPLE_RATE_HZ).fill(500);
for (const output of outputs) for (let count = 0; count < seconds; count += 1) output.write(second);

setTimeout(() => {
  const used = process.cpuUsage(usedBefore);
  const tookMs = performance.now() - beganAt;
  for (const output of outputs) output.end();
  for (const other of others) other.kill();
  socket.close();
  sink.close();
  lateMs.sort((one, other) => one - other);
  const at = (share: number) => lateMs[Math.floor(share * (lateMs.length - 1))]?.toFixed(2);
  const within = lateMs.filter((late) => late <= 10).length / lateMs.length;
  console.log(
    `${streams} streams, ${busy} busy processes: ${lateMs.length} frames, ` +
      `late ms p50 ${at(0.5)} p99 ${at(0.99)} p99.9 ${at(0.999)} max ${at(1)}; ` +
      `within 10 ms ${(within * 100).toFixed(3)} %; ` +
      `${((used.user + used.system) / 10 / tookMs).toFixed(1)} % of a core`,
  );
}, seconds * 1_000);
