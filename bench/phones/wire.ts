/** What callers.ts is told and tells, and how late packets are on the wire. */
import { median } from '../median.ts';

export type CallersOptions = {
  calls: number;
  port: number;
  seconds: number;
  /** Calls begin one after the other within this time; then all of them go on for `warmUpMs` before anything counts. */
  spreadMs: number;
  warmUpMs: number;
  /** What is said: PCMU, without a header. */
  speechFile: string;
};

export type CallersReport = WireReport & { answeredAfterMs: number[] };

export type Arrival = { sequence: number; timestamp: number; atMs: number };

export type WireReport = {
  packets: number;
  /** Sequence numbers that never came. */
  lost: number;
  /** Streams of which less came than half of a packet every 20 ms. */
  silentCalls: number;
  /** How far packets are from their place on their stream's grid of 20 ms, sorted. */
  deviationsMs: number[];
  /** How far two packets in a row are from being 20 ms apart, sorted. */
  gapsMs: number[];
};

const FRAME_MS = 20;
const SAMPLES_PER_FRAME = 160;

/**
 * A stream's grid goes by its own timestamps and lies where half of its packets are earlier and half later: a constant delay
 * is none, and a clock that drifts would show.
 */
export function measureArrivals(calls: readonly Arrival[][]): WireReport {
  const deviationsMs: number[] = [];
  const gapsMs: number[] = [];
  let lost = 0;
  let silentCalls = 0;
  for (const arrivals of calls) {
    const [first] = arrivals;
    const last = arrivals.at(-1);
    if (
      !first ||
      !last ||
      arrivals.length * FRAME_MS < (last.atMs - first.atMs) / 2 ||
      arrivals.length < 50
    ) {
      silentCalls += 1;
      continue;
    }
    const offsets = arrivals.map(
      ({ timestamp, atMs }) => atMs - FRAME_MS * (((timestamp - first.timestamp) | 0) / SAMPLES_PER_FRAME),
    );
    const middle = median(offsets);
    for (const offset of offsets) deviationsMs.push(Math.abs(offset - middle));
    for (const [index, { sequence, atMs }] of arrivals.entries()) {
      const before = arrivals[index - 1];
      if (!before) continue;
      if (sequence === ((before.sequence + 1) & 0xffff)) gapsMs.push(Math.abs(atMs - before.atMs - FRAME_MS));
    }
    const span = ((last.sequence - first.sequence) & 0xffff) + 1;
    lost += Math.max(0, span - new Set(arrivals.map(({ sequence }) => sequence)).size);
  }
  return {
    packets: deviationsMs.length,
    lost,
    silentCalls,
    deviationsMs: deviationsMs.sort((one, other) => one - other),
    gapsMs: gapsMs.sort((one, other) => one - other),
  };
}

/** Of a sorted list. */
export const quantile = (sorted: readonly number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
