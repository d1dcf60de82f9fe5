import { monitorEventLoopDelay } from 'node:perf_hooks';

/** More than so many milliseconds behind its time; 10 and 40 are the bars of docs/decisions/0170. */
export const LATE_MS = [2, 5, 10, 20, 40] as const;

/** How a process kept time since it was asked before. */
export type ProcessFigures = {
  /** Frames of sound that were sent, and how many of them later than each of `LATE_MS`. */
  frames: { sent: number; late: number[] };
  /** How long the event loop kept others waiting, in milliseconds. */
  eventLoopMs: { p50: number; p99: number; max: number };
};

const frames = { sent: 0, late: LATE_MS.map(() => 0) };

/** Counts frames that are sent now, together, so many milliseconds after their time. */
export function countFrames(count: number, lateMs: number): void {
  frames.sent += count;
  // Most are in time: no list is walked for them.
  if (lateMs <= LATE_MS[0]) return;
  LATE_MS.forEach((limitMs, index) => {
    if (lateMs > limitMs) frames.late[index] = (frames.late[index] ?? 0) + count;
  });
}

/** Node measures from the first call on. */
export function createProcessFigures(): () => ProcessFigures {
  const resolutionMs = 10;
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  // What is measured is the time between two looks, which are `resolutionMs` apart where nobody is kept waiting.
  const inMs = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolutionMs);

  return () => {
    const told: ProcessFigures = {
      frames: { sent: frames.sent, late: [...frames.late] },
      eventLoopMs: {
        p50: inMs(delay.percentile(50)),
        p99: inMs(delay.percentile(99)),
        max: delay.max > 0 && delay.count > 0 ? inMs(delay.max) : 0,
      },
    };
    frames.sent = 0;
    frames.late.fill(0);
    delay.reset();
    return told;
  };
}
