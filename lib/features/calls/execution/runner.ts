import { mintWorkspaceId, systemActor } from '#lib/auth/mint.ts';
import type { Actor } from '#lib/auth/actor.ts';
import type {
  ConversationClient,
  ConversationHost,
  RunningConversation,
} from '#lib/conversation-process/host.ts';
import { neverConnected } from '#lib/engine/describe-end.ts';
import type { CallPlan, ConversationResult, KnowledgeHit, UseWorkspaceTool } from '#lib/engine/plan.ts';
import { describeError } from '#lib/log.ts';
import type { LanguageModel } from '#lib/ports/language-model.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { CallNotifier } from '../live/notifier.ts';
import { plannedRow, type WhenToCall } from '../admission/waiting.ts';
import { postponeCall, releaseLease } from '../dispatch/repository.ts';
import { type CallRow, resumeWaitingOfCampaign } from '../repository.ts';
import { findCampaignState } from './repository.ts';
import { OPTED_OUT, toldTrace } from '../rules.ts';
import { discardRecording, type Ending } from './ending.ts';
import { createLanguageService } from '#lib/features/languages/service.ts';
import { findOptOut } from '#lib/features/opt-outs/repository.ts';
import { passFaultPoint } from '#lib/fault-points.ts';
import type { TraceContext } from '#lib/trace/context.ts';
import { tellTrace } from '#lib/trace/outgoing.ts';
import { createLiveCall, LeaseLost, type LiveCall } from './live-call.ts';
import { planCall } from './plan.ts';
import type { Recovery } from './recovery.ts';
import { outcomeFields, type WrapUp } from './wrap-up.ts';

/** What an agent looks up while it talks, in the call's workspace. */
export type SearchForCall = (actor: Actor, agentId: string, query: string) => Promise<KnowledgeHit[]>;

/** What an agent does with the integrations of the call's workspace. */
export type UseToolForCall = (
  actor: Actor,
  use: Parameters<UseWorkspaceTool>[0],
  call: Pick<CallPlan, 'callId' | 'humanPhoneNumber'>,
) => ReturnType<UseWorkspaceTool>;

/** How long a call that goes out waits for its fixed lines, where they have to be made. */
const LANGUAGE_PATIENCE_MS = 8_000;

/** How long a call of a paused campaign waits until somebody looks whether it still is; a resumed one does not wait for it. */
const PAUSED_MS = 3_600_000;

type Owned = { call: CallRow; owner: string; signal: AbortSignal };

export type CallRunner = ReturnType<typeof createCallRunner>;

/** Takes a call that this process has leased to `ended`: its conversation runs where `conversationHost` says. */
export function createCallRunner(
  deps: Pick<Dependencies, 'db' | 'clock' | 'ids' | 'log' | 'metrics' | 'tracer'> & {
    languageModel: LanguageModel | undefined;
    notifier: CallNotifier;
    conversationHost: ConversationHost;
    searchForCall: SearchForCall;
    useToolForCall: UseToolForCall;
    ending: Ending;
    wrapUp: WrapUp;
    recovery: Recovery;
  },
) {
  const { db, clock, log, conversationHost } = deps;
  const languages = createLanguageService(deps);
  let lastRequest: Promise<unknown> = Promise.resolve();

  /**
   * Plans, dials and runs a call that `owner` has leased, and ends it. It is dialled at `dialAt`, when its carrier takes
   * it. `signal` aborts with the service or with the lease: the engine then says goodbye. Rejects only when the database
   * fails; the lease then runs out and another process goes on.
   */
  async function run({ call, dialAt, owner, signal }: Owned & { dialAt: Date }): Promise<void> {
    const workspaceId = mintWorkspaceId(call.workspaceId);
    const giveUp = (reason: string, endReason: string) =>
      deps.wrapUp.endUndialled(workspaceId, call.id, { trigger: 'give_up', owner, reason, endReason });

    const planned = await planCall(db, workspaceId, call, {
      ids: deps.ids,
      startedAt: clock.now(),
      hasLanguageModel: deps.languageModel !== undefined,
      speak: (language) => languages.speak(language, LANGUAGE_PATIENCE_MS),
    });
    if (!planned.ok) {
      await giveUp(planned.code, planned.reason);
      return;
    }
    passFaultPoint('call.planned');
    await sleepUntil(dialAt, signal);
    // While no process is there to run a conversation, nobody is dialled.
    await conversationHost.ready(signal).catch(() => undefined);
    if (!signal.aborted && !conversationHost.has(call.carrier)) {
      await giveUp('carrier_missing', `The carrier "${call.carrier}" is not set up on this service.`);
      return;
    }
    if (!signal.aborted && (await postpone(call, owner, planned))) return;
    const live = createLiveCall(deps, { call, workspaceId, owner });
    live.isHeldWith(planned.agentVersionId);
    const owned = { call, owner, signal };
    await end(live, owned, () => dial(live, owned, planned.plan));
  }

  /** Answers a call that came in and that `owner` has leased, runs it and ends it. `signal` and failures as for `run`. */
  async function runIncoming(owned: Owned & { reference: string }): Promise<void> {
    await answer(owned).finally(conversationHost.expectLine(owned.reference));
  }

  async function answer(owned: Owned & { reference: string }): Promise<void> {
    const { call, owner, signal, reference } = owned;
    const workspaceId = mintWorkspaceId(call.workspaceId);
    const live = createLiveCall(deps, { call, workspaceId, owner });
    const planned = await planCall(db, workspaceId, call, {
      ids: deps.ids,
      startedAt: clock.now(),
      hasLanguageModel: deps.languageModel !== undefined,
      // Somebody waits on the line.
      speak: (language) => languages.speak(language, 0),
    });
    if (!planned.ok) {
      conversationHost.decline({ carrier: call.carrier, callId: call.id, reference });
      const outcome = neverConnected(planned.code, planned.reason);
      await live.advance({ trigger: 'never_connect', fields: outcomeFields(outcome, clock.now()) });
      await deps.wrapUp.endConversation(workspaceId, call.id, owner);
      return;
    }
    live.isHeldWith(planned.agentVersionId);
    await end(live, owned, async () => {
      await conversationHost.ready(signal);
      const order = {
        plan: planned.plan,
        carrier: call.carrier,
        opening: 'answer',
        reference,
        trace: toldTrace(deps.tracer, call),
      } as const;
      return conversationHost.run(order, clientOf(live, planned.plan, { signal, trace: order.trace }));
    });
  }

  /** Begins a conversation and sees its call to the end, however it ends. */
  async function end(
    live: LiveCall,
    { call, owner }: Owned,
    begin: () => Promise<RunningConversation | undefined>,
  ): Promise<void> {
    const workspaceId = mintWorkspaceId(call.workspaceId);
    let running: RunningConversation | undefined;
    try {
      running = await begin();
      if (!running) return await giveBack(call, owner);
      await deps.ending.settle(live, { call, owner, result: await resultOf(live, running) });
    } catch (error) {
      // Nothing was sent, it is not ours any more, or all but its end is stored: whoever has the lease next goes on.
      if (error instanceof LeaseLost || ['queued', 'wrapping_up'].includes(live.status())) throw error;
      log.error({ event: 'call_broken', callId: call.id, error: describeError(error) });
      const reason = 'The call was cut off by a fault of the service.';
      await deps.recovery.close(workspaceId, call.id, owner, async () => reason);
    }
    await deps.wrapUp.endConversation(workspaceId, call.id, owner);
    await running
      ?.forget()
      .catch((error: unknown) =>
        log.error({ event: 'journal_left', callId: call.id, error: describeError(error) }),
      );
  }

  /**
   * Back into the queue where the person may not be called now: hours close while a call waits for its turn, and change;
   * a campaign is paused.
   */
  async function postpone(
    call: CallRow,
    owner: string,
    { calling, isPaused }: { calling: WhenToCall; isPaused: boolean },
  ): Promise<boolean> {
    const dueAt = isPaused ? new Date(clock.now().getTime() + PAUSED_MS) : null;
    const planned = plannedRow(calling, { to: call.humanPhoneNumber, dueAt, now: clock.now() });
    if (planned.notBefore === null) return false;
    const workspaceId = mintWorkspaceId(call.workspaceId);
    await postponeCall(db, workspaceId, { callId: call.id, owner, at: clock.now(), ...planned });
    // Resumed while it was postponed: whoever resumed it did not see this call.
    if (isPaused && call.campaignId !== null) {
      const state = await findCampaignState(db, workspaceId, call.campaignId);
      if (state !== 'paused') await resumeWaitingOfCampaign(db, workspaceId, call.campaignId);
    }
    deps.notifier.notify(workspaceId, call.id);
    return true;
  }

  /** A call that was not dialled goes back into the queue; where its person opted out meanwhile, it ends. */
  async function giveBack(call: CallRow, owner: string): Promise<void> {
    const workspaceId = mintWorkspaceId(call.workspaceId);
    const optedOut = await findOptOut(db, workspaceId, call.humanPhoneNumber);
    if (optedOut) await deps.wrapUp.endUndialled(workspaceId, call.id, { ...OPTED_OUT, owner });
    else await releaseLease(db, workspaceId, call.id, owner);
  }

  /** The result, once all that was told before it is stored. What could not be stored is thrown first. */
  async function resultOf(live: LiveCall, running: RunningConversation): Promise<ConversationResult> {
    const result = await running.result.catch(async (error: unknown) => {
      // What is still being written must not come after the end of the call.
      await live.flush();
      throw error;
    });
    await live.flush().catch(async (error: unknown) => {
      await discardRecording(result);
      throw error;
    });
    return result;
  }

  async function sleepUntil(at: Date, signal: AbortSignal): Promise<void> {
    const waitMs = at.getTime() - clock.now().getTime();
    if (waitMs > 0) await clock.sleep(waitMs, signal).catch(() => undefined);
  }

  /**
   * Commits the fence and gives the order. Fences are committed one at a time and each request goes out before the next
   * fence, so whichever process is killed leaves at most one fence for which nothing was sent; the carrier's answers are
   * awaited side by side. Undefined, with nothing sent, where the call is not ours any more or the service stops.
   */
  async function dial(
    live: LiveCall,
    { call, signal }: Owned,
    plan: CallPlan,
  ): Promise<RunningConversation | undefined> {
    const request = lastRequest.then(async () => {
      // The process that was there may have died while this call waited for its turn: no fence without somebody to dial.
      await conversationHost.ready(signal).catch(() => undefined);
      const reference = signal.aborted ? undefined : await live.commitAttempt();
      if (reference === undefined) return undefined;
      passFaultPoint('call.fenced');
      const trace = toldTrace(deps.tracer, call);
      const order = { plan, carrier: call.carrier, opening: 'dial', reference, trace } as const;
      const running = conversationHost.run(order, clientOf(live, plan, { signal, trace }));
      await running.asked;
      passFaultPoint('call.ordered');
      return running;
    });
    lastRequest = request.catch(() => undefined);
    return request;
  }

  function clientOf(
    live: LiveCall,
    plan: CallPlan,
    { signal, trace }: { signal: AbortSignal; trace: TraceContext | undefined },
  ): ConversationClient {
    const actor = systemActor(plan.workspaceId, 'call');
    return {
      report: live.store,
      flush: live.flush,
      failed: live.failed,
      extendUsage: live.extendUsage,
      beginTransfer: async (to) => {
        // The call has to be known as answered first: what was told before is written behind the conversation.
        await live.flush();
        return live.commitTransfer(to);
      },
      searchKnowledge: (query) => tellTrace(trace, () => deps.searchForCall(actor, plan.agentId, query)),
      useWorkspaceTool: (use) => tellTrace(trace, () => deps.useToolForCall(actor, use, plan)),
      signal,
    };
  }

  return { run, runIncoming };
}
