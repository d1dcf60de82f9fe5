import type { Database } from '#db/client.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import type { CallSinks } from '#lib/engine/plan.ts';
import { reserveSeconds } from '#lib/features/usage/repository.ts';
import { secondsToReserve } from '#lib/features/usage/rules.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { CallNotifier } from '../live/notifier.ts';
import type { CallStatus } from '../machine.ts';
import { type CallMove, type CallRow, insertCallEvent, moveCall } from '../repository.ts';
import { addReservedSeconds, insertAttempt, insertToolUse, insertTurn, ownsLease } from './repository.ts';

/** Thrown when another process took the call over: whoever sees it stops at once and writes nothing more. */
export class LeaseLost extends Error {
  constructor(callId: string) {
    super(`Call ${callId} is no longer held by this process`);
    this.name = 'LeaseLost';
  }
}

export type LiveCall = ReturnType<typeof createLiveCall>;

/**
 * One call while this process holds it: its moves, and what the engine reports, each written under the lease at the
 * moment it happens.
 */
export function createLiveCall(
  deps: Pick<Dependencies, 'db' | 'clock' | 'ids'> & { notifier: CallNotifier },
  held: { call: CallRow; workspaceId: WorkspaceId; owner: string },
) {
  const { db, clock, ids } = deps;
  const { call, workspaceId, owner } = held;
  const callId = call.id;
  let status: CallStatus = call.status;
  let reservedSeconds = call.reservedSeconds;

  type Move = Pick<CallMove, 'trigger' | 'fields' | 'data'>;

  async function move(tx: Database, wanted: Move): Promise<CallStatus> {
    const moved = await moveCall(tx, workspaceId, {
      ...wanted,
      callId,
      from: status,
      at: clock.now(),
      owner,
    });
    if (!moved) throw new LeaseLost(callId);
    return moved;
  }

  async function advance(wanted: Move): Promise<void> {
    status = await db.transaction((tx) => move(tx, wanted));
    deps.notifier.notify(workspaceId, callId);
  }

  /** Runs `write` in a transaction that still holds the call, with one event for the timeline. */
  async function record(
    type: string,
    data: Record<string, unknown>,
    write?: (tx: Database) => Promise<void>,
  ): Promise<void> {
    await db.transaction(async (tx) => {
      if (!(await ownsLease(tx, workspaceId, callId, owner))) throw new LeaseLost(callId);
      await write?.(tx);
      await insertCallEvent(tx, workspaceId, { callId, type, data, at: clock.now() });
    });
    deps.notifier.notify(workspaceId, callId);
  }

  const sinks: CallSinks = {
    async ringing() {
      if (status === 'dialing') await advance({ trigger: 'ring' });
    },
    async answered(_atMs, by) {
      await advance({ trigger: 'answer', fields: { answeredAt: clock.now() }, data: { by } });
    },
    async turn(turn) {
      await record('turn', { ...turn }, (tx) =>
        insertTurn(tx, workspaceId, { ...turn, id: ids.next('turn'), callId }),
      );
    },
    async toolUse(use) {
      await record('tool', { ...use }, (tx) =>
        insertToolUse(tx, workspaceId, { ...use, id: ids.next('tool'), callId }),
      );
    },
    async event(type, data) {
      await record(type, data);
    },
    async extendUsage(totalSeconds) {
      const missing = secondsToReserve(totalSeconds) - reservedSeconds;
      if (missing <= 0) return true;
      const extended = await db.transaction(async (tx) => {
        if (!(await ownsLease(tx, workspaceId, callId, owner))) throw new LeaseLost(callId);
        if (!(await reserveSeconds(tx, workspaceId, call.usageMonth, missing))) return false;
        await addReservedSeconds(tx, workspaceId, callId, missing);
        return true;
      });
      if (extended) reservedSeconds += missing;
      return extended;
    },
  };

  return {
    sinks,
    status: (): CallStatus => status,
    advance,
    record,

    /**
     * Commits the fence: the attempt with the reference the carrier will see, and the state `dialing`, in one
     * transaction. Only after it may the carrier be called; false means that this process may not.
     */
    async commitAttempt(): Promise<string | undefined> {
      const attemptId = ids.next('att');
      const at = clock.now();
      const committed = await db.transaction(async (tx) => {
        const moved = await moveCall(tx, workspaceId, {
          callId,
          from: status,
          trigger: 'dial',
          at,
          owner,
          data: { reference: attemptId },
        });
        if (!moved) return false;
        const isFirst = await insertAttempt(tx, workspaceId, {
          id: attemptId,
          callId,
          carrier: call.carrier,
          reference: attemptId,
          committedAt: at,
        });
        if (!isFirst) throw new Error(`Call ${callId} is queued although it was dialled`);
        return true;
      });
      if (!committed) return undefined;
      status = 'dialing';
      deps.notifier.notify(workspaceId, callId);
      return attemptId;
    },
  };
}
