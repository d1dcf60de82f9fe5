import { mintWorkspaceId } from '#lib/auth/mint.ts';
import type { Env } from '#lib/env.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { AppError } from '#lib/errors.ts';
import { keepRenewing } from '#lib/heartbeat.ts';
import { describeError } from '#lib/log.ts';
import { passFaultPoint } from '#lib/fault-points.ts';
import type { Recovery } from '../execution/recovery.ts';
import type { CallRunner } from '../execution/runner.ts';
import { LeaseLost } from '../execution/live-call.ts';
import { callWaiting } from '../jobs.ts';
import type { CallRow } from '../repository.ts';
import { forgetAnswersBefore } from '#lib/features/idempotency/repository.ts';
import { oldestKey } from '#lib/features/idempotency/rules.ts';
import { forgetWatches } from '../watching/repository.ts';
import {
  claimCalls,
  expireAllLeases,
  type Lease,
  listOrphans,
  listWorkspacesWithWaitingCalls,
  releaseExpiredClaims,
  releaseLease,
  renewLeases,
  takeOver,
} from './repository.ts';
import { createRotation } from './rotation.ts';

/** An orphan is found after at most lease + sweep = 18 s; the bar is 30 s (docs/decisions/0031). */
const LEASE_MS = 15_000;
const HEARTBEAT_MS = 5_000;
/** What another process was asked to do with a call, or to show of it, is seen after at most this long. */
const OTHERS_MS = 500;
const SWEEP_MS = 3_000;
/**
 * A process that was halted for longer, or whose clock jumped, cannot tell dead owners from ones that were halted with it,
 * until those had the time to renew what they hold.
 */
const HALTED_MS = SWEEP_MS + HEARTBEAT_MS;
/**
 * The machine on which the dead process ran has the journals of its calls, and what they say is lost to others: it goes
 * first where it comes back in time (docs/decisions/0252).
 */
const OWN_MACHINE_FIRST_MS = 4_000;
/** Journals of calls that another machine ended. */
const LEFTOVERS_MS = 10_000;
const FORGET_MS = 600_000;
/** In which a sentence is said and the call is wrapped up. */
const GOODBYE_MS = 10_000;
const ORPHANS_PER_SWEEP = 50;
/** Beyond it a process leaves calls to others, or waits until one of its own ends. */
const MAX_CALLS_PER_PROCESS = 200;

export type Dispatcher = ReturnType<typeof createDispatcher>;

/**
 * Starts queued calls of this process as far as there is room, workspaces in turn; keeps its leases alive; ends the
 * calls of processes that died.
 */
export function createDispatcher(
  deps: Pick<Dependencies, 'db' | 'clock' | 'ids' | 'log' | 'queue' | 'database'> & {
    env: Pick<Env, 'callsPerSecond'>;
    runner: Pick<CallRunner, 'run'>;
    recovery: Recovery;
    /** Does what people at other processes ask of calls of this one: hands over orders, tells what is said. */
    serveOthers(callIds: readonly string[]): Promise<void>;
  },
) {
  const { db, clock, log } = deps;
  const owner = deps.ids.next('proc');
  const leased = new Map<string, { done: Promise<void>; abort: AbortController }>();
  /** Workspaces that are served again as soon as a carrier takes the next call. */
  const paced = new Set<string>();
  const stopping = new AbortController();
  let accepting = true;
  let isWorker = false;
  let beating: AbortController | undefined;
  let sweptAt: number | undefined;
  let carefulUntil = 0;

  const lease = () => ({ owner, until: new Date(clock.now().getTime() + LEASE_MS) });
  const rotation = createRotation({
    room: () => (accepting ? MAX_CALLS_PER_PROCESS - leased.size : 0),
    serve: startCalls,
    onError: (error) => log.error({ event: 'dispatch_failed', error: describeError(error) }),
  });

  async function startCalls(workspace: string, atMost: number): Promise<boolean> {
    const workspaceId = mintWorkspaceId(workspace);
    const { claimed, retryAt } = await claimCalls(db, workspaceId, {
      atMost,
      now: clock.now(),
      lease: lease(),
      callsPerSecond: deps.env.callsPerSecond,
    });
    if (claimed.length > 0) passFaultPoint('call.claimed');
    if (!accepting) {
      // The service began to stop while they were claimed.
      await Promise.all(claimed.map(({ call }) => releaseLease(db, workspaceId, call.id, owner)));
      return false;
    }
    for (const { call, dialAt } of claimed)
      start(call, (signal) => deps.runner.run({ call, dialAt, owner, signal }));
    if (retryAt) void serveAt(workspace, retryAt);
    return claimed.length === atMost;
  }

  /** A carrier is at its rate: there is nothing to ask for before it takes the next call. */
  async function serveAt(workspace: string, at: Date): Promise<void> {
    if (paced.has(workspace)) return;
    paced.add(workspace);
    await clock.sleep(at.getTime() - clock.now().getTime(), stopping.signal).catch(() => undefined);
    paced.delete(workspace);
    await rotation.serve([workspace]);
  }

  /** `isClaimed`: not a call that came in, after which a process that does not work for the queue takes nothing from it. */
  function start(
    call: CallRow,
    work: (signal: AbortSignal) => Promise<void>,
    { isClaimed } = { isClaimed: true },
  ): void {
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
        leased.delete(call.id);
        // The call's slot is free again, for its workspace or for whoever waits for this process.
        if (isClaimed || isWorker) void rotation.serve([call.workspaceId]);
        if (isWorker || leased.size > 0) return;
        beating?.abort();
        beating = undefined;
      });
    leased.set(call.id, { done, abort });
    beat();
  }

  async function sweep(): Promise<void> {
    if (!accepting) return;
    const now = clock.now().getTime();
    const sinceLastMs = sweptAt === undefined ? 0 : now - sweptAt;
    sweptAt = now;
    if (sinceLastMs > HALTED_MS || sinceLastMs < 0) carefulUntil = now + HALTED_MS;
    if (now >= carefulUntil || now < carefulUntil - HALTED_MS) await endOrphans();
    await rotation.serve(await listWorkspacesWithWaitingCalls(db));
  }

  /** Calls whose lease ran out: those of a process that died, or that could not renew it. */
  async function endOrphans(): Promise<void> {
    await releaseExpiredClaims(db, clock.now());
    const orphans = await listOrphans(db, clock.now(), ORPHANS_PER_SWEEP);
    const hasJournal = await deps.recovery.journalsOf(orphans);
    const others = new Date(clock.now().getTime() - (deps.database.pglite ? 0 : OWN_MACHINE_FIRST_MS));
    for (const orphan of orphans) {
      if (leased.has(orphan.id)) continue;
      if (!hasJournal(orphan.id) && orphan.leaseUntil !== null && orphan.leaseUntil > others) continue;
      const call = await takeOver(db, mintWorkspaceId(orphan.workspaceId), orphan.id, clock.now(), lease());
      if (!call) continue;
      passFaultPoint('call.taken_over');
      start(call, () => deps.recovery.recover(call, owner));
    }
  }

  /** A call whose lease could not be renewed belongs to somebody else now: this process hangs up. */
  async function heartbeat(): Promise<void> {
    const ids = [...leased.keys()];
    const kept = new Set(await renewLeases(db, ids, lease()));
    for (const id of ids) if (!kept.has(id)) leased.get(id)?.abort.abort(new LeaseLost(id));
  }

  /** Renews leases for as long as this process works for the queue or holds a call. */
  function beat(): void {
    if (beating) return;
    beating = new AbortController();
    const signal = AbortSignal.any([stopping.signal, beating.signal]);
    void keepRenewing(signal, {
      clock,
      everyMs: HEARTBEAT_MS,
      renew: heartbeat,
      onError: (error) => log.error({ event: 'heartbeat_failed', error: describeError(error) }),
    });
    // The one process of an embedded database hands them over itself.
    if (deps.database.pglite) return;
    void keepRenewing(signal, {
      clock,
      everyMs: OTHERS_MS,
      renew: () => deps.serveOthers([...leased.keys()]),
      onError: (error) => log.error({ event: 'serving_others_failed', error: describeError(error) }),
    });
  }

  return {
    /** Starts what may start now in a workspace, and in those that waited before it; resolves when it was started. */
    fill: (workspaceId: string) => rotation.serve([workspaceId]),
    sweep,
    heartbeat,

    /**
     * Keeps and runs a call whose line is in this process, in every role. `insert` writes it under the lease. Throws what
     * that throws, and 503 where the process is full or stops.
     */
    async hold(
      insert: (lease: Lease) => Promise<CallRow>,
      run: (held: { call: CallRow; owner: string; signal: AbortSignal }) => Promise<void>,
    ): Promise<CallRow> {
      if (!accepting || leased.size >= MAX_CALLS_PER_PROCESS) {
        const message = accepting
          ? `All ${MAX_CALLS_PER_PROCESS} lines of this process are in use: another process takes more`
          : 'The service stops and takes no further call';
        throw new AppError('NOT_READY', message, { retryAfterSeconds: 5 });
      }
      const call = await insert(lease());
      start(call, (signal) => run({ call, owner, signal }), { isClaimed: false });
      return call;
    },
    /** Calls that this process works on now. */
    callCount: () => leased.size,
    /** Whether this process works on the call. */
    holds: (callId: string) => leased.has(callId),

    /** Begins to work: leases of a process that is surely gone end at once, then jobs and sweeps. */
    async start(): Promise<void> {
      // Only one process can open the embedded database, so every lease in it is a dead one's.
      if (deps.database.pglite) await expireAllLeases(db, clock.now());
      isWorker = true;
      beat();
      await deps.queue.work(callWaiting, { concurrency: 1, batchSize: 100 }, async ({ workspaceId }) => {
        void rotation.serve([workspaceId]);
      });
      // Each process looks for calls that it has room for.
      await deps.queue.every('calls.sweep', SWEEP_MS, sweep, { on: 'each' });
      await deps.queue.every('calls.forget_keys', FORGET_MS, async () => {
        await forgetAnswersBefore(db, oldestKey(clock.now()));
        await forgetWatches(db);
      });
      // On this machine's disk: no other process removes them.
      await deps.queue.every('calls.leftovers', LEFTOVERS_MS, deps.recovery.removeLeftovers, { on: 'each' });
      await deps.recovery.removeLeftovers();
      await sweep();
    },

    /**
     * Takes no more calls and waits for those in progress; ten seconds before the end of the time, or after half of a
     * shorter one, they are asked to say goodbye.
     * Leases are kept alive until the last one ended.
     */
    async stop(timeoutMs: number): Promise<void> {
      accepting = false;
      const all = () => Promise.allSettled([...leased.values()].map((call) => call.done));
      const within = (ms: number) =>
        Promise.race([all(), clock.sleep(ms, stopping.signal).catch(() => undefined)]);
      // Calls that are being claimed go back into the queue.
      await rotation.idle();
      const goodbyeMs = Math.min(timeoutMs / 2, GOODBYE_MS);
      if (leased.size > 0) await within(timeoutMs - goodbyeMs);
      for (const call of leased.values()) call.abort.abort(new Error('the service is stopping'));
      if (leased.size > 0) await within(goodbyeMs);
      stopping.abort();
    },
  };
}
