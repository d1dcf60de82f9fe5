import type { Dependencies } from '#lib/dependencies.ts';
import { webhookWaiting } from '#lib/features/webhooks/jobs.ts';
import type { Clock } from '#lib/ports/clock.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { countingCarrier, type RunConversation, scriptedHost } from '../testing.ts';
import { createCallWork } from './call-work.ts';

/** A lease runs out after 15 s; on PostgreSQL other machines wait four seconds more (docs/decisions/0252). */
export const TAKEOVER_MS = 20_000;

/** A service whose calls are worked on by the processes that a test makes with `callWorker`. */
export async function startCallsRuntime(): Promise<TestRuntime> {
  const runtime = await startTestRuntime();
  await runtime.queue.ensure(webhookWaiting);
  return runtime;
}

/** A clock that is ahead of the real one, and further with each `jump`: a test sees leases expire. */
export function clockAhead(runtime: TestRuntime, aheadMs = 0): { clock: Clock; jump: (ms: number) => void } {
  let ahead = aheadMs;
  const clock = { ...runtime.clock, now: () => new Date(Date.now() + ahead) };
  return { clock, jump: (ms) => void (ahead += ms) };
}

type Own = Partial<Pick<Dependencies, 'clock' | 'ids' | 'queue'>> & { dataDir?: string };

/**
 * One process that works on calls, with an owner, a memory and a carrier of its own, on the shared database. What is not
 * given it has from `runtime`; `dataDir` is a disk of its own.
 */
export function callWorker(
  runtime: TestRuntime,
  run: RunConversation,
  { clock = runtime.clock, dataDir = runtime.dataDir, ...own }: Own = {},
) {
  const carrier = countingCarrier();
  const conversationHost = scriptedHost({ dataDir }, { carrier, run, clock });
  const work = createCallWork({ ...runtime, ...own, clock, conversationHost, ...runtime.forCalls });
  return { ...work, carrier };
}
