import type { Database } from '#db/client.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { systemActor } from '#lib/auth/mint.ts';
import type { CallReport } from '#lib/conversation-process/protocol.ts';
import type { ToolUseRecord } from '#lib/engine/plan.ts';
import { OPT_OUT_TOOL } from '#lib/engine/tools/opt-out.ts';
import { noteOptOut } from '#lib/features/opt-outs/service.ts';
import { reserveSeconds } from '#lib/features/usage/repository.ts';
import { secondsToReserve, usedByOf } from '#lib/features/usage/rules.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { createOrderedWriter } from '#lib/ordered-writer.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { PROVIDER_FAILURES } from '#lib/ports/provider-failure.ts';
import { passFaultPoint } from '#lib/fault-points.ts';
import { createCallTrace } from './call-trace.ts';
import type { CallNotifier } from '../live/notifier.ts';
import type { CallStatus } from '../machine.ts';
import { type CallMove, type CallRow, moveCall } from '../repository.ts';
import {
  addReservedSeconds,
  commitFence,
  commitTransfer,
  type EventRecord,
  insertOwnedEvent,
  ownsLease,
} from './repository.ts';

/** Thrown when another process took the call over: whoever sees it stops at once and writes nothing more. */
export class LeaseLost extends Error {
  constructor(callId: string) {
    super(`Call ${callId} is no longer this process's`);
    this.name = 'LeaseLost';
  }
}

/** Events that tell of a model which failed, and what they are counted as. */
const MODEL_FAILURES: Readonly<Record<string, string>> = {
  model_failed: 'other',
  transcription_retried: 'transcription',
  transcription_failed: 'transcription',
  speech_failed: 'speech',
};

/** Of a language model the kind that the event names, where it is a known one: labels are from a closed list. */
function failureKind(event: string, kind: unknown): string {
  const known = PROVIDER_FAILURES.find((each) => each === kind);
  return event === 'model_failed' && known ? known : (MODEL_FAILURES[event] ?? 'other');
}

/** A call reports a few things a minute: so many that wait mean that the database does not come back. */
const MAX_WAITING_WRITES = 500;

export type LiveCall = ReturnType<typeof createLiveCall>;

/**
 * One call while this process owns its lease: its moves, and what the engine reports, each written under the lease, in
 * order, behind the conversation.
 */
export function createLiveCall(
  deps: Pick<Dependencies, 'db' | 'clock' | 'ids' | 'metrics' | 'tracer'> & { notifier: CallNotifier },
  owned: { call: CallRow; workspaceId: WorkspaceId; owner: string },
) {
  const { db, clock, ids } = deps;
  const { call, workspaceId, owner } = owned;
  const callId = call.id;
  let status: CallStatus = call.status;
  let reservedSeconds = call.reservedSeconds;
  const trace = createCallTrace(deps, call);
  const writer = createOrderedWriter({ maxWaiting: MAX_WAITING_WRITES });

  /** Stored with the next move: what a call was held with costs no statement of its own. */
  let heldWith: { agentVersionId?: string } = {};

  type Move = Pick<CallMove, 'trigger' | 'fields' | 'data'>;

  async function advance(wanted: Move, at = clock.now()): Promise<void> {
    const moved = await moveCall(db, workspaceId, {
      ...wanted,
      fields: { ...heldWith, ...wanted.fields },
      callId,
      from: status,
      at,
      owner,
    });
    if (!moved) throw new LeaseLost(callId);
    status = moved;
    heldWith = {};
    deps.notifier.notify(workspaceId, callId);
  }

  /** Writes an event for the timeline, and what belongs to it, while this process owns the call. */
  async function record(
    type: string,
    data: Record<string, unknown>,
    {
      at = clock.now(),
      tx = db,
      ...rest
    }: { at?: Date; tx?: Database; stored?: EventRecord; isInJournal?: boolean } = {},
  ): Promise<void> {
    const event = { type, data, at };
    const { stored, isInJournal } = rest;
    if (!(await insertOwnedEvent(tx, workspaceId, { callId, owner, event, record: stored, isInJournal })))
      throw new LeaseLost(callId);
    passFaultPoint('call.event_stored');
    deps.notifier.notify(workspaceId, callId);
  }

  /** The person asked not to be called again: what was said and the list's row are stored together. */
  async function recordOptOut(use: ToolUseRecord, { at, stored }: { at: Date; stored: EventRecord }) {
    await db.transaction(async (tx) => {
      await record('tool', { ...use }, { at, stored, tx });
      const number = parsePhoneNumber(call.humanPhoneNumber);
      await noteOptOut(tx, clock, { actor: systemActor(workspaceId, 'call'), callId, number, at });
    });
  }

  function count(report: CallReport): void {
    if (report.type === 'turn' && report.turn.timings) deps.metrics.turn(report.turn.timings);
    if (report.type === 'event' && report.name in MODEL_FAILURES)
      deps.metrics.modelFailed(failureKind(report.name, report.data.kind));
  }

  async function write(report: CallReport, at: Date): Promise<void> {
    switch (report.type) {
      case 'accepted':
        return record('carrier.accepted', { reference: report.reference }, { at });
      case 'ringing':
        // One that came in rings already.
        return status === 'dialing' ? advance({ trigger: 'ring' }, at) : undefined;
      case 'answered':
        return advance(
          {
            trigger: 'answer',
            fields: { answeredAt: at, lineTrace: report.trace ?? null },
            data: { by: report.by },
          },
          at,
        );
      case 'turn': {
        const stored = { turn: { ...report.turn, id: ids.next('turn') } };
        const { wordStartsMs: _, ...told } = report.turn;
        return record('turn', told, { at, stored, isInJournal: true });
      }
      case 'tool_use': {
        const stored = { toolUse: { ...report.use, id: ids.next('tool') } };
        return report.use.name === OPT_OUT_TOOL && report.use.result.ok === true
          ? recordOptOut(report.use, { at, stored })
          : record('tool', { ...report.use }, { at, stored, isInJournal: true });
      }
      case 'event':
        return record(report.name, report.data, { at, isInJournal: true });
    }
  }

  async function extendUsage(totalSeconds: number): Promise<boolean> {
    if (call.isTest) return true;
    const missing = secondsToReserve(totalSeconds) - reservedSeconds;
    if (missing <= 0) return true;
    const extended = await db.transaction(async (tx) => {
      if (!(await ownsLease(tx, workspaceId, callId, owner))) throw new LeaseLost(callId);
      const reserved = { month: call.usageMonth, seconds: missing, usedBy: usedByOf(call) };
      if (!(await reserveSeconds(tx, workspaceId, reserved))) return false;
      await addReservedSeconds(tx, workspaceId, callId, missing);
      return true;
    });
    if (extended) reservedSeconds += missing;
    return extended;
  }

  return {
    /** Writes what the conversation told, after all it told before; never waits and never throws. */
    store(report: CallReport, at: Date): void {
      count(report);
      trace.heard(report, at);
      writer.post(() => write(report, at));
    },
    /** Resolves when all that was told until now is stored; rejects with the first failure. */
    flush: writer.flush,
    /** Aborts with the first failure as its reason. */
    failed: writer.failed,
    /** Asks for another minute of the monthly limit. */
    extendUsage,
    status: (): CallStatus => status,
    /** Tells which version of the agent was planned; null says nothing. */
    isHeldWith(agentVersionId: string | null): void {
      if (agentVersionId !== null && agentVersionId !== call.agentVersionId) heldWith = { agentVersionId };
    },
    advance,
    record,

    /** Commits the fence of a transfer; undefined means that nobody may be called. */
    async commitTransfer(number: string): Promise<string | undefined> {
      const reference = ids.next('att');
      const { carrier } = call;
      const attempt = { id: reference, callId, carrier, reference, number, committedAt: clock.now() };
      return (await commitTransfer(db, workspaceId, owner, attempt)) ? reference : undefined;
    },

    /**
     * Commits the fence: the attempt with the reference the carrier will see, and the state `dialing`, in one
     * statement. Only after it may the carrier be called; undefined means that this process may not, or that the
     * person opted out.
     */
    async commitAttempt(): Promise<string | undefined> {
      const reference = ids.next('att');
      const at = clock.now();
      const fields = heldWith;
      const move = { callId, from: status, trigger: 'dial', at, owner, fields, data: { reference } } as const;
      const attempt = { id: reference, callId, carrier: call.carrier, reference, committedAt: at };
      if (!(await commitFence(db, workspaceId, move, attempt))) return undefined;
      status = 'dialing';
      heldWith = {};
      trace.fenced(at);
      deps.notifier.notify(workspaceId, callId);
      return reference;
    },
  };
}
