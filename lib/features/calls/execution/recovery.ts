import { setImmediate } from 'node:timers/promises';
import type { CallOutcome } from '#db/schema/calls.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { mintWorkspaceId } from '#lib/auth/mint.ts';
import type { ConversationHost } from '#lib/conversation-process/host.ts';
import type { CallReport } from '#lib/conversation-process/protocol.ts';
import { CARRIER_KINDS } from '#lib/ports/carrier-kinds.ts';
import type { Carrier, PlacedCall } from '#lib/ports/carrier.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { CallNotifier } from '../live/notifier.ts';
import { type CallRow, findCall } from '../repository.ts';
import type { Ending } from './ending.ts';
import { createLiveCall, type LiveCall } from './live-call.ts';
import { listDeletedAmong } from '../deleted/repository.ts';
import {
  addLateTurns,
  findAttempt,
  hasEvent,
  listEnded,
  listEventTimes,
  listToolUses,
  listTransfers,
  listTurns,
} from './repository.ts';
import { outcomeOfInterrupted } from './interrupted.ts';
import { neverConnected } from '#lib/engine/describe-end.ts';
import { outcomeFields, type WrapUp } from './wrap-up.ts';

export type Recovery = ReturnType<typeof createRecovery>;

type Found = Awaited<ReturnType<Carrier['lookup']>>;

/** The process may have died of what the call left: its journal is read this often, restarts included. */
const MOST_ATTEMPTS = 3;
/** A carrier that does not say what became of a call. */
const ASK_WITHIN_MS = 40_000;
/** Hanging up is sent at once; whether anybody is still there to hear it changes nothing here. */
const HANG_UP_WITHIN_MS = 5_000;

const FOUND: Record<Found, string> = {
  never_placed: 'The service stopped before the carrier placed the call; nobody was dialled.',
  in_progress:
    'The service stopped while the call was being placed, and it was closed without dialling again.',
  ended: 'The service stopped while the call was being placed; at the carrier it has ended.',
  unknown:
    'The service stopped while the call was being placed; it is not known whether anybody was reached, so it is not dialled again.',
};

/** The event that each kind of report is stored as. */
function eventOf(report: CallReport): string {
  switch (report.type) {
    case 'accepted':
      return 'carrier.accepted';
    case 'ringing':
      return 'call.ringing';
    case 'answered':
      return 'call.in_progress';
    case 'turn':
      return 'turn';
    case 'tool_use':
      return 'tool';
    case 'event':
      return report.name;
  }
}

/** Ends calls that lost their process. Never dials: a dial with an unknown outcome is not repeated. */
export function createRecovery(
  deps: Pick<Dependencies, 'db' | 'clock' | 'ids' | 'log' | 'metrics' | 'tracer'> & {
    notifier: CallNotifier;
    conversationHost: ConversationHost;
    ending: Ending;
    wrapUp: WrapUp;
  },
) {
  const { db, clock } = deps;
  const { journals } = deps.conversationHost;

  async function close(
    workspaceId: WorkspaceId,
    callId: string,
    owner: string,
    reasonFor: (call: CallRow, found: Found | undefined) => Promise<string>,
  ): Promise<void> {
    const before = await findCall(db, workspaceId, callId);
    if (!isOpen(before)) return;
    const live = createLiveCall(deps, { call: before, workspaceId, owner });
    if (before.recoveryAttempts > MOST_ATTEMPTS) await leaveJournal(callId);
    else if (await settleFromJournal(live, before, owner)) return;
    const call = await findCall(db, workspaceId, callId);
    await Promise.all([hangUp(call), giveUpTransfers(workspaceId, call)]);
    const outcome = await outcomeFor(call, workspaceId, await reasonFor(call, await askCarrier(call)));
    const fields = outcomeFields(outcome, clock.now());
    await live.advance({ trigger: 'recover', fields, data: { endReason: outcome.endReason } });
    if (!outcome.connected) return;
    const recording = await journals.recording(callId, outcome.durationMs);
    await deps.ending.storeRecording(live, call, recording);
  }

  /** Stores what the dead process had told and nobody had stored yet; true where it also told how the call ended. */
  async function settleFromJournal(live: LiveCall, call: CallRow, owner: string): Promise<boolean> {
    const left = await journals.find(call.id);
    if (!left) return false;
    const stored = countEvents(await listEventTimes(db, mintWorkspaceId(call.workspaceId), call.id));
    for (const { report, at } of left.reports) {
      if (stored.take(eventOf(report), at)) continue;
      live.store(report, at);
      await live.flush();
      // The embedded database answers without a turn of the event loop: requests would wait for the whole journal.
      await setImmediate();
    }
    if (!left.result) return false;
    const { hasRecording, ...outcome } = left.result;
    const recording = hasRecording ? await journals.recording(call.id, outcome.durationMs) : null;
    await deps.ending.settle(live, { call, owner, result: { ...outcome, recording } });
    return true;
  }

  /** A call whose recovery broke off every time is ended with what the database has of it. */
  async function leaveJournal(callId: string): Promise<void> {
    await journals.setAside(callId);
    deps.log.error({ event: 'recovery_given_up', callId, attempts: MOST_ATTEMPTS });
  }

  /** Of a call whose outcome was stored when its process died, and whose recording was not. */
  async function storeLeftRecording(call: CallRow, owner: string): Promise<void> {
    if (!call.outcome?.connected || call.recordingKey !== null) return;
    const live = createLiveCall(deps, { call, workspaceId: mintWorkspaceId(call.workspaceId), owner });
    const recording = await journals.recording(call.id, call.outcome.durationMs);
    if (recording) await deps.ending.storeRecording(live, call, recording);
    else await deps.ending.nameStoredRecording(call);
  }

  /** What another machine could not know when it ended the call. The analysis, and the webhook, stay as they were. */
  async function addWhatIsLate(call: CallRow): Promise<void> {
    await addLeftTurns(call);
    if (!call.outcome?.connected || call.recordingKey !== null) return;
    const recording = await journals.recording(call.id, call.outcome.durationMs);
    if (recording) await deps.ending.keepRecording(call, recording);
  }

  async function addLeftTurns(call: CallRow): Promise<void> {
    const workspaceId = mintWorkspaceId(call.workspaceId);
    const left = await journals.find(call.id);
    const late = (left?.reports ?? []).flatMap(({ report }) =>
      report.type === 'turn' ? [{ ...report.turn, id: deps.ids.next('turn') }] : [],
    );
    const added = late.length === 0 ? 0 : await addLateTurns(db, workspaceId, call.id, late);
    if (added > 0) deps.log.warn({ event: 'turns_added_late', callId: call.id, count: added });
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

  /** Whoever was being called for this call is not left ringing, or talked to by nobody. */
  async function giveUpTransfers(workspaceId: WorkspaceId, call: CallRow): Promise<void> {
    const transfers = await listTransfers(db, workspaceId, call.id);
    await Promise.all(
      transfers.map(async ({ carrier, reference, number, committedAt, trace }) => {
        const kind = CARRIER_KINDS.find((known) => known === carrier);
        const to = { from: call.agentPhoneNumber, to: number, at: committedAt };
        if (kind) await lookUp(kind, reference, trace ? { ...to, trace } : to, HANG_UP_WITHIN_MS);
      }),
    );
  }

  async function reasonFor(call: CallRow, found: Found | undefined): Promise<string> {
    if (call.status === 'in_progress') return 'The call was cut off because the service stopped.';
    if (call.direction === 'INBOUND') return 'The service stopped before it answered the call.';
    if (await hasEvent(db, mintWorkspaceId(call.workspaceId), call.id, 'carrier.accepted'))
      return 'The service stopped while the call was being connected; it is not dialled again.';
    return FOUND[found ?? 'never_placed'];
  }

  /**
   * What the carrier knows of a call that may still ring. A carrier that is asked takes it back where it can, so that
   * nobody's telephone rings on. Undefined where nobody can have been dialled, or the call was answered.
   */
  async function askCarrier(call: CallRow): Promise<Found | undefined> {
    if (call.status === 'in_progress' || call.direction === 'INBOUND') return undefined;
    const attempt = await findAttempt(db, mintWorkspaceId(call.workspaceId), call.id);
    if (!attempt) return undefined;
    const placed = { from: call.agentPhoneNumber, to: call.humanPhoneNumber, at: attempt.committedAt };
    return lookUp(call.carrier, attempt.reference, placed, ASK_WITHIN_MS);
  }

  /** Whoever has answered is not left on a line on which nobody is any more. */
  async function hangUp(call: CallRow): Promise<void> {
    if (call.status !== 'in_progress' || !call.lineTrace) return;
    const placed = {
      from: call.agentPhoneNumber,
      to: call.humanPhoneNumber,
      at: call.answeredAt ?? call.dateInitiated,
      trace: call.lineTrace,
    };
    await lookUp(call.carrier, call.carrierReference ?? call.id, placed, HANG_UP_WITHIN_MS);
  }

  function lookUp(
    carrier: CallRow['carrier'],
    reference: string,
    placed: PlacedCall,
    withinMs: number,
  ): Promise<Found> {
    const enough = new AbortController();
    const late = clock.sleep(withinMs, enough.signal).then(
      () => 'unknown' as const,
      () => 'unknown' as const,
    );
    const asked = deps.conversationHost.lookup(carrier, reference, placed).catch(() => 'unknown' as const);
    return Promise.race([asked, late]).finally(() => enough.abort());
  }

  return {
    /**
     * Moves a call that broke to `wrapping_up`, or ends it, with what is stored of it and with what its process left on this
     * machine.
     */
    close,

    /** Tells of which of these calls a journal lies on this machine. */
    async journalsOf(orphans: readonly { id: string }[]): Promise<(callId: string) => boolean> {
      const kept = orphans.length === 0 ? [] : await journals.list();
      const ids = new Set(kept);
      return (callId) => ids.has(callId);
    },

    /**
     * Removes what was left of calls that have ended: their process was killed between their end and the removal, or
     * another machine ended them; and of calls that were deleted since.
     */
    async removeLeftovers(): Promise<void> {
      const kept = await journals.list();
      for (const callId of await listDeletedAmong(db, kept)) await journals.remove(callId);
      for (const call of await listEnded(db, kept)) {
        // Still spoken here, though its lease was lost: what is said has yet to be written.
        if (deps.conversationHost.supervisor(call.id)) continue;
        await addWhatIsLate(call);
        await journals.remove(call.id);
      }
    },

    /** Ends a call that `owner` took over from a process that went silent. */
    async recover(call: CallRow, owner: string): Promise<void> {
      const workspaceId = mintWorkspaceId(call.workspaceId);
      await close(workspaceId, call.id, owner, reasonFor);
      if (call.status === 'wrapping_up' && call.recoveryAttempts <= MOST_ATTEMPTS) {
        // Whoever stored its outcome may have been another machine, which did not have the journal.
        await addLeftTurns(call);
        await storeLeftRecording(call, owner);
      }
      await deps.wrapUp.endConversation(workspaceId, call.id, owner);
      await journals.remove(call.id);
      deps.log.warn({ event: 'call_recovered', callId: call.id, from: call.status });
    },
  };
}

/** Several events of one kind may have happened in one millisecond: each counts once. */
function countEvents(events: readonly { type: string; at: Date }[]): {
  take(type: string, at: Date): boolean;
} {
  const keyOf = (type: string, at: Date) => `${type} ${at.getTime()}`;
  const counts = new Map<string, number>();
  for (const { type, at } of events) counts.set(keyOf(type, at), (counts.get(keyOf(type, at)) ?? 0) + 1);
  return {
    take(type, at) {
      const count = counts.get(keyOf(type, at)) ?? 0;
      if (count > 0) counts.set(keyOf(type, at), count - 1);
      return count > 0;
    },
  };
}

const isOpen = ({ status }: CallRow) =>
  status === 'dialing' || status === 'ringing' || status === 'in_progress';
