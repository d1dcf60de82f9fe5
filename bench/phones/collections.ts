/**
 * Counts the collections of garbage of each thread of a process into `COLLECTIONS` (a folder): a file for each thread, a line
 * for each second. Given to Node with `--import`, as run.ts does where it is asked to.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { threadId, workerData } from 'node:worker_threads';
import type { CollectionsLine } from './garbage.ts';

const KINDS = {
  minor: constants.NODE_PERFORMANCE_GC_MINOR,
  major: constants.NODE_PERFORMANCE_GC_MAJOR,
  marking: constants.NODE_PERFORMANCE_GC_INCREMENTAL,
};

const folder = process.env.COLLECTIONS ?? '.';
/** The thread of sound is known by what it is given. */
const isOfSound = typeof workerData === 'object' && workerData !== null && 'slots' in workerData;
const file = join(folder, `${process.pid}-${threadId}${isOfSound ? '-sound' : ''}.jsonl`);
let pauses: { kind: number; ms: number }[] = [];

new PerformanceObserver((list) => {
  for (const { detail, duration } of list.getEntries() as (PerformanceEntry & { detail: unknown })[])
    pauses.push({ kind: (detail as { kind: number }).kind, ms: duration });
}).observe({ entryTypes: ['gc'] });

setInterval(() => {
  const msOf = (kind: number) => pauses.filter((each) => each.kind === kind).map(({ ms }) => ms);
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  const line: CollectionsLine = {
    minor: msOf(KINDS.minor),
    major: msOf(KINDS.major),
    marking: msOf(KINDS.marking),
    heapUsed,
    arrayBuffers,
  };
  appendFileSync(file, `${JSON.stringify(line)}\n`);
  pauses = [];
}, 1_000).unref();
