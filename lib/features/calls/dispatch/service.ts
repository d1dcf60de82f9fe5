import { mintWorkspaceId } from '#lib/auth/mint.ts';
import { describeError } from '#lib/log.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { callWaiting } from '../jobs.ts';
import { forgetAnswersBefore } from '../admission/repository.ts';
import type { CallRow } from '../repository.ts';
import { IDEMPOTENCY_HOURS } from '../rules.ts';
import { LeaseLost } from '../execution/live-call.ts';
import type { Recovery } from '../execution/recovery.ts';
import type { CallRunner } from '../execution/runner.ts';
import {
  claimOldestCall,
  expireAllLeases,
  listOrphans,
  listWorkspacesWithWaitingCalls,
  renewLeases,
  takeOver,
} from './repository.ts';

/** An orphan is found after at most lease + sweep = 18 s; the bar is 30 s (docs/decisions/0031). */
const LEASE_MS = 15_000;
const HEARTBEAT_MS = 5_000;
const SWEEP_MS = 3_000;
const FORGET_MS = 600_000;
const ORPHANS_PER_SWEEP = 50;
/** Beyond it a process leaves calls to others, or waits until one of its own ends. */
const MAX_CALLS_PER_PROCESS = 200;

/**
 * Starts queued calls of this process, oldest first, as far as lines are free; keeps its leases alive; ends the calls
 * of processes that died.
 */
export function createDispatcher(
  deps: Pick<Dependencies, 'db' | 'clock' | 'ids' | 'log' | 'queue' | 'database'> & {
    runner: CallRunner;
    recovery: Recovery;
  },
) {
  const { db, clock, log } = deps;
  const owner = deps.ids.next('proc');
  const held = new Map<string, { done: Promise<void>; abort: AbortController }>();
  const stopping = new AbortController();
  let accepting = true;

  const lease = () => ({ owner, until: new Date(clock.now().getTime() + LEASE_MS) });

  /** Claims and starts calls of one workspace until its lines, or this process, are full. Gives back how many. */
  async function fill(workspace: string): Promise<number> {
    const workspaceId = mintWorkspaceId(workspace);
    let started = 0;
    while (accepting && held.size < MAX_CALLS_PER_PROCESS) {
      const call = await claimOldestCall(db, workspaceId, clock.now(), lease());
      if (!call) break;
      start(call, (signal) => deps.runner.run(call, owner, signal));
      started += 1;
    }
    return started;
  }

  function start(call: CallRow, work: (signal: AbortSignal) => Promise<void>): void {
    const abort = new AbortController();
    const done = work(abort.signal)
      .catch((error: unknown) => {
        const expected = error instanceof LeaseLost;
        log[expected ? 'warn' : 'error']({
          event: 'call_dropped',
          callId: call.id,
          error: describeError(error),
        });
      })
      .finally(() => {
        held.delete(call.id);
        // A line is free again.
        if (accepting)
          void fill(call.workspaceId).catch((error: unknown) =>
            log.error({ event: 'dispatch_failed', error: describeError(error) }),
          );
      });
    held.set(call.id, { done, abort });
  }

  async function sweep(): Promise<void> {
    if (!accepting) return;
    for (const orphan of await listOrphans(db, clock.now(), ORPHANS_PER_SWEEP)) {
      if (held.has(orphan.id)) continue;
      const call = await takeOver(db, mintWorkspaceId(orphan.workspaceId), orphan.id, clock.now(), lease());
      if (call) start(call, () => deps.recovery.recover(call, owner));
    }
    for (const workspace of await listWorkspacesWithWaitingCalls(db, clock.now())) await fill(workspace);
  }

  /** A call whose lease could not be renewed belongs to somebody else now: this process hangs up. */
  async function heartbeat(): Promise<void> {
    const ids = [...held.keys()];
    const kept = new Set(await renewLeases(db, ids, lease()));
    for (const id of ids) if (!kept.has(id)) held.get(id)?.abort.abort(new LeaseLost(id));
  }

  async function beat(): Promise<void> {
    while (!stopping.signal.aborted) {
      await clock.sleep(HEARTBEAT_MS, stopping.signal).catch(() => undefined);
      await heartbeat().catch((error: unknown) =>
        log.error({ event: 'heartbeat_failed', error: describeError(error) }),
      );
    }
  }

  return {
    fill,
    sweep,
    heartbeat,
    /** Calls that this process holds now. */
    heldCount: () => held.size,

    /** Begins to work: leases of a process that is surely gone end at once, then jobs and sweeps. */
    async start(): Promise<void> {
      // Only one process can open the embedded database, so every lease in it is a dead one's.
      if (deps.database.pglite) await expireAllLeases(db, clock.now());
      void beat();
      await deps.queue.work(callWaiting, { concurrency: 2 }, async ({ workspaceId }) => {
        await fill(workspaceId);
      });
      await deps.queue.every('calls.sweep', SWEEP_MS, sweep);
      await deps.queue.every('calls.forget_keys', FORGET_MS, () =>
        forgetAnswersBefore(db, new Date(clock.now().getTime() - IDEMPOTENCY_HOURS * 3_600_000)),
      );
      await sweep();
    },

    /**
     * Takes no more calls and waits for those in progress; after half of the time they are asked to say goodbye.
     * Leases are kept alive until the last one ended.
     */
    async stop(timeoutMs: number): Promise<void> {
      accepting = false;
      const all = () => Promise.allSettled([...held.values()].map((call) => call.done));
      const within = (ms: number) =>
        Promise.race([all(), clock.sleep(ms, stopping.signal).catch(() => undefined)]);
      if (held.size > 0) await within(timeoutMs / 2);
      for (const call of held.values()) call.abort.abort(new Error('the service is stopping'));
      if (held.size > 0) await within(timeoutMs / 2);
      stopping.abort();
    },
  };
}
