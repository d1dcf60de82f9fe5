import type { CallOutcome } from '#db/schema/calls.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { mintWorkspaceId } from '#lib/auth/mint.ts';
import type { Carrier } from '#lib/ports/carrier.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { CallNotifier } from '../live/notifier.ts';
import { type CallRow, findCall, moveCall } from '../repository.ts';
import { findAttempt, hasEvent, listToolUses, listTurns } from './repository.ts';
import { outcomeOfInterrupted } from './interrupted.ts';
import { neverConnected } from '#lib/engine/describe-end.ts';
import { outcomeFields, type WrapUp } from './wrap-up.ts';

export type Recovery = ReturnType<typeof createRecovery>;

const FOUND: Record<Awaited<ReturnType<Carrier['lookup']>>, string> = {
  never_placed: 'The service stopped before the carrier placed the call; nobody was dialled.',
  in_progress:
    'The service stopped while the call was being placed, and it was closed without dialling again.',
  ended: 'The service stopped while the call was being placed; at the carrier it has ended.',
  unknown:
    'The service stopped while the call was being placed; it is not known whether anybody was reached, so it is not dialled again.',
};

/** Ends calls that lost their process. Never dials: a dial with an unknown outcome is not repeated. */
export function createRecovery(
  deps: Pick<Dependencies, 'db' | 'clock' | 'log'> & {
    notifier: CallNotifier;
    carriers: Partial<Record<string, Carrier>>;
    wrapUp: WrapUp;
  },
) {
  const { db, clock } = deps;

  async function close(
    workspaceId: WorkspaceId,
    callId: string,
    owner: string,
    endReason: string,
  ): Promise<void> {
    const call = await findCall(db, workspaceId, callId);
    if (call.status === 'queued' || call.status === 'wrapping_up' || call.status === 'ended') return;
    const outcome = await outcomeFor(call, workspaceId, endReason);
    const now = clock.now();
    await db.transaction((tx) =>
      moveCall(tx, workspaceId, {
        callId,
        from: call.status,
        trigger: 'recover',
        at: now,
        owner,
        fields: outcomeFields(outcome, now),
        data: { endReason: outcome.endReason },
      }),
    );
    deps.notifier.notify(workspaceId, callId);
  }

  async function outcomeFor(
    call: CallRow,
    workspaceId: WorkspaceId,
    endReason: string,
  ): Promise<CallOutcome> {
    if (call.status !== 'in_progress') return neverConnected('interrupted', endReason);
    const turns = await listTurns(db, workspaceId, call.id);
    return outcomeOfInterrupted(turns, await listToolUses(db, workspaceId, call.id), endReason);
  }

  async function reasonFor(call: CallRow, workspaceId: WorkspaceId): Promise<string> {
    if (call.status === 'in_progress') return 'The call was cut off because the service stopped.';
    if (call.direction === 'INBOUND') return 'The service stopped before it answered the call.';
    if (await hasEvent(db, workspaceId, call.id, 'carrier.accepted')) {
      return 'The service stopped while the call was being connected; it is not dialled again.';
    }
    const attempt = await findAttempt(db, workspaceId, call.id);
    const found = attempt
      ? await deps.carriers[call.carrier]?.lookup(attempt.reference).catch(() => 'unknown' as const)
      : 'never_placed';
    return FOUND[found ?? 'unknown'];
  }

  return {
    /** Moves a call that broke to `wrapping_up`, with what is stored of it. */
    close,

    /** Ends a call that `owner` took over from a process that went silent. */
    async recover(call: CallRow, owner: string): Promise<void> {
      const workspaceId = mintWorkspaceId(call.workspaceId);
      if (call.status !== 'wrapping_up')
        await close(workspaceId, call.id, owner, await reasonFor(call, workspaceId));
      await deps.wrapUp.endConversation(workspaceId, call.id, owner);
      deps.log.warn({ event: 'call_recovered', callId: call.id, from: call.status });
    },
  };
}
