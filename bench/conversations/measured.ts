/** Runs the calls of one side for its time and tells the parent what was measured. */
import type { SideReport } from './script.ts';
import type { createFarEnd } from './far-end.ts';

export type SideOptions = {
  calls: number;
  seconds: number;
  warmUpSeconds: number;
  isIdle: boolean;
  sounds: string;
};

export function readOptions(): SideOptions {
  return JSON.parse(process.argv[2] ?? '{}') as SideOptions;
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Calls begin over a few seconds, so that they are not in step; then they are measured, all of them being up. */
export async function runSide(
  options: SideOptions,
  farEnd: ReturnType<typeof createFarEnd>,
  openCall: (index: number) => Promise<void>,
): Promise<never> {
  const empty = memory();
  const spreadMs = Math.min(8_000, options.warmUpSeconds * 500);
  for (let index = 0; index < options.calls; index += 1) {
    await openCall(index);
    await wait(spreadMs / Math.max(1, options.calls));
  }
  await wait(options.warmUpSeconds * 1_000 - spreadMs);
  farEnd.reset();
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  await wait(options.seconds * 1_000);
  const { user, system } = process.cpuUsage(cpu);
  const elapsedMs = performance.now() - startedAt;
  const measures = structuredClone(farEnd.measures);
  const full = memory();
  const report: SideReport = {
    calls: options.calls,
    ...measures,
    core: (user + system) / 1_000 / elapsedMs,
    rssBytes: full.rss - empty.rss,
    heapBytes: full.heap - empty.heap,
  };
  process.send?.(report, () => process.exit(0));
  return new Promise(() => undefined);
}

function memory() {
  for (let round = 0; round < 3; round += 1) globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, heap: heapUsed + external };
}
