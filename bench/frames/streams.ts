/**
 * Paced streams that send a frame each 20 ms, and how late each left. Every second a line of `FRAMES_LOG` tells how many
 * frames were how late, in half milliseconds.
 */
import { appendFile } from 'node:fs/promises';
import { createSocket } from 'node:dgram';
import { monotonicClock } from '#lib/adapters/system/clock.ts';
import { createPacer } from '#lib/media/pacer.ts';
import { FRAME_SAMPLES } from '#lib/ports/media.ts';

/** One line: when it was written, and the number of frames by lateness; what is later than the last bucket is in it. */
export type FrameLine = { atMs: number; buckets: number[]; latestMs: number };
export const BUCKET_MS = 0.5;
const BUCKETS = 400;

/** Starts `FRAMES_STREAMS` streams to the UDP port `FRAMES_PORT`, for as long as the process lives. */
export function startStreams(): void {
  const streams = Number(process.env.FRAMES_STREAMS);
  const port = Number(process.env.FRAMES_PORT);
  const log = process.env.FRAMES_LOG ?? '';
  const socket = createSocket('udp4');
  const frame = Buffer.alloc(FRAME_SAMPLES * 2);
  let line = emptyLine();
  const pacer = createPacer({ clock: monotonicClock, onFailed: console.error });
  for (let stream = 0; stream < streams; stream += 1)
    pacer.start((dueMs) => {
      socket.send(frame, port, '127.0.0.1');
      const lateMs = Math.max(0, monotonicClock.nowMs() - dueMs);
      const bucket = Math.min(BUCKETS - 1, Math.floor(lateMs / BUCKET_MS));
      line.buckets[bucket] = (line.buckets[bucket] ?? 0) + 1;
      line.latestMs = Math.max(line.latestMs, lateMs);
    });
  setInterval(() => {
    const full = line;
    line = emptyLine();
    void appendFile(log, `${JSON.stringify({ ...full, atMs: Date.now() })}\n`);
  }, 1_000);
}

const emptyLine = (): FrameLine => ({
  atMs: 0,
  buckets: Array.from({ length: BUCKETS }, () => 0),
  latestMs: 0,
});
