import type { Actor, WorkspaceId } from '#lib/auth/actor.ts';
import { mintWorkspaceId, systemActor } from '#lib/auth/mint.ts';
import type { CallPlan, CallSinks, ConversationResult } from '#lib/engine/plan.ts';
import { recordingKeyOf } from '#lib/features/recordings/rules.ts';
import { describeError } from '#lib/log.ts';
import type { Carriers, DialRequest, Leg } from '#lib/ports/carrier.ts';
import type { LanguageModel } from '#lib/ports/language-model.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { CallNotifier } from '../live/notifier.ts';
import { releaseLease } from '../dispatch/repository.ts';
import type { CallRow } from '../repository.ts';
import { createLiveCall, LeaseLost, type LiveCall } from './live-call.ts';
import { MAX_CALL_MS, planCall } from './plan.ts';
import type { Recovery } from './recovery.ts';
import { saveRecording } from './repository.ts';
import { neverConnected } from '#lib/engine/describe-end.ts';
import { outcomeFields, type WrapUp } from './wrap-up.ts';

/** Runs one conversation on a leg; made in lib/runtime.ts from the engine and its models. */
export type RunConversation = (conversation: {
  /** The service in the call's workspace, for what the agent looks up. */
  actor: Actor;
  plan: CallPlan;
  leg: Leg;
  sinks: CallSinks;
  signal: AbortSignal;
}) => Promise<ConversationResult>;

/** Stereo, 16 bit, 16 kHz, for the longest call and a minute more. */
const MAX_RECORDING_BYTES = ((MAX_CALL_MS + 60_000) / 1000) * 16_000 * 4;

type ClaimedRun = { call: CallRow; dialAt: Date; owner: string; signal: AbortSignal };

type IncomingRun = Pick<ClaimedRun, 'call' | 'owner' | 'signal'> & {
  open(): Promise<Leg>;
};

export type CallRunner = ReturnType<typeof createCallRunner>;

/** Takes a claimed call from `queued` to `ended`. */
export function createCallRunner(
  deps: Pick<Dependencies, 'db' | 'clock' | 'ids' | 'log' | 'storage'> & {
    languageModel: LanguageModel | undefined;
    notifier: CallNotifier;
    carriers: Carriers;
    runConversation: RunConversation;
    wrapUp: WrapUp;
    recovery: Recovery;
  },
) {
  const { db, clock, log } = deps;
  let lastRequest: Promise<unknown> = Promise.resolve();

  /**
   * Plans, dials and runs a call that `owner` has leased, and ends it. It is dialled at `dialAt`, when its carrier takes
   * it. `signal` aborts with the service or with the lease: the engine then says goodbye. Rejects only when the database
   * fails; the lease then runs out and another process goes on.
   */
  async function run({ call, dialAt, owner, signal }: ClaimedRun): Promise<void> {
    const workspaceId = mintWorkspaceId(call.workspaceId);
    const giveUp = (reason: string, endReason: string) =>
      deps.wrapUp.endUndialled(workspaceId, call.id, { trigger: 'give_up', owner, reason, endReason });

    const carrier = deps.carriers[call.carrier];
    if (!carrier) {
      await giveUp('carrier_missing', `The carrier "${call.carrier}" is not set up on this service.`);
      return;
    }
    const planned = await planCall(db, workspaceId, call, {
      startedAt: clock.now(),
      hasLanguageModel: deps.languageModel !== undefined,
    });
    if (!planned.ok) {
      await giveUp(planned.code, planned.reason);
      return;
    }
    const live = createLiveCall(deps, { call, workspaceId, owner });
    try {
      await sleepUntil(dialAt, signal);
      const leg = await dial(live, carrier.dial, planned.plan, signal);
      if (!leg) return await releaseLease(db, workspaceId, call.id, owner);
      const result = await talk(leg, planned.plan, live, signal);
      if (!result.connected)
        return await endUnanswered(live, workspaceId, { callId: call.id, owner, result });
      await keepResult(live, call, result);
    } catch (error) {
      await breakOff(live, { call, owner, error });
    }
    await deps.wrapUp.endConversation(workspaceId, call.id, owner);
  }

  /** Answers a call that came in and that `owner` has leased, runs it and ends it. `signal` and failures as for `run`. */
  async function runIncoming({ call, open, owner, signal }: IncomingRun): Promise<void> {
    const workspaceId = mintWorkspaceId(call.workspaceId);
    const live = createLiveCall(deps, { call, workspaceId, owner });
    try {
      const planned = await planCall(db, workspaceId, call, {
        startedAt: clock.now(),
        hasLanguageModel: deps.languageModel !== undefined,
      });
      if (planned.ok) {
        const leg = await open();
        await keepResult(live, call, await talk(leg, planned.plan, live, signal));
      } else {
        const outcome = neverConnected(planned.code, planned.reason);
        await live.advance({ trigger: 'never_connect', fields: outcomeFields(outcome, clock.now()) });
      }
    } catch (error) {
      await breakOff(live, { call, owner, error });
    }
    await deps.wrapUp.endConversation(workspaceId, call.id, owner);
  }

  async function keepResult(live: LiveCall, call: CallRow, result: ConversationResult): Promise<void> {
    await storeOutcome(live, result).catch(async (error: unknown) => {
      await discardRecording(result);
      throw error;
    });
    await storeRecording(live, call, result);
  }

  /** A call that broke ends with what is stored of it, unless another process has it. */
  async function breakOff(
    live: LiveCall,
    { call, owner, error }: { call: CallRow; owner: string; error: unknown },
  ): Promise<void> {
    // Nothing was sent, or it is not ours any more: whoever has the lease next goes on.
    if (error instanceof LeaseLost || live.status() === 'queued') throw error;
    log.error({ event: 'call_broken', callId: call.id, error: describeError(error) });
    const workspaceId = mintWorkspaceId(call.workspaceId);
    await deps.recovery.close(workspaceId, call.id, owner, 'The call was cut off by a fault of the service.');
  }

  async function sleepUntil(at: Date, signal: AbortSignal): Promise<void> {
    const waitMs = at.getTime() - clock.now().getTime();
    if (waitMs > 0) await clock.sleep(waitMs, signal).catch(() => undefined);
  }

  /**
   * Commits the fence and asks the carrier. Fences are committed one at a time and each request goes out before the next
   * fence, so a process that is killed leaves at most one fence for which nothing was sent; the carrier's answers are
   * awaited side by side. Undefined, with nothing sent, where the call is not ours any more or the service stops.
   */
  async function dial(
    live: LiveCall,
    openLeg: (request: DialRequest) => Promise<Leg>,
    plan: CallPlan,
    signal: AbortSignal,
  ): Promise<Leg | undefined> {
    const request = lastRequest.then(async () => {
      const reference = signal.aborted ? undefined : await live.commitAttempt();
      return reference === undefined
        ? undefined
        : {
            reference,
            opened: openLeg({ reference, from: plan.agentPhoneNumber, to: plan.humanPhoneNumber }),
          };
    });
    lastRequest = request.catch(() => undefined);
    const sent = await request;
    if (!sent) return undefined;
    const leg = await sent.opened;
    // Stored behind the conversation: somebody may be answering already.
    live.sinks.event('carrier.accepted', { reference: sent.reference });
    return leg;
  }

  async function talk(
    leg: Leg,
    plan: CallPlan,
    live: LiveCall,
    signal: AbortSignal,
  ): Promise<ConversationResult> {
    try {
      const actor = systemActor(plan.workspaceId, 'call');
      return await deps.runConversation({ actor, plan, leg, sinks: live.sinks, signal });
    } catch (error) {
      await leg.hangUp().catch(() => undefined);
      // What is still being written must not come after the end of the call.
      await live.sinks.flush().catch(() => undefined);
      throw error;
    }
  }

  async function endUnanswered(
    live: LiveCall,
    workspaceId: WorkspaceId,
    { callId, owner, result }: { callId: string; owner: string; result: ConversationResult },
  ): Promise<void> {
    const { recording: _, ...outcome } = result;
    const end = { from: live.status(), owner, outcome };
    if (!(await deps.wrapUp.endUnanswered(workspaceId, callId, end))) throw new LeaseLost(callId);
  }

  async function storeOutcome(live: LiveCall, result: ConversationResult): Promise<void> {
    const { recording: _, ...outcome } = result;
    await live.advance({
      trigger: 'hang_up',
      fields: outcomeFields(outcome, clock.now()),
      data: { endReason: outcome.endReason, endedBy: outcome.endedBy },
    });
  }

  /** A recording that cannot be stored must not keep the call from ending. */
  async function storeRecording(live: LiveCall, call: CallRow, result: ConversationResult): Promise<void> {
    if (!result.recording) return;
    const workspaceId = mintWorkspaceId(call.workspaceId);
    const recordingKey = recordingKeyOf(call.workspaceId, call.id);
    try {
      const { sizeBytes } = await deps.storage.put(recordingKey, result.recording.body, {
        maxBytes: MAX_RECORDING_BYTES,
      });
      await saveRecording(db, workspaceId, call.id, { recordingKey, recordingSizeBytes: sizeBytes });
    } catch (error) {
      log.error({ event: 'recording_lost', callId: call.id, error: describeError(error) });
      await live.record('recording.lost', { reason: 'The recording could not be stored.' });
    }
  }

  return { run, runIncoming };
}

/** Gives back what an unread recording holds open. */
async function discardRecording(result: ConversationResult): Promise<void> {
  for await (const _ of result.recording?.body ?? []) break;
}
