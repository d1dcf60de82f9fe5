import type { CallOutcome } from '#db/schema/calls.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { emptyResults, type Result } from '#lib/features/agents/results/rules.ts';
import { neverConnected } from '#lib/engine/describe-end.ts';
import { renderTranscript } from '#lib/engine/transcript.ts';
import { type SettledSeconds, settlement } from '#lib/features/usage/repository.ts';
import { webhookWaiting } from '#lib/features/webhooks/jobs.ts';
import type { WebhookService } from '#lib/features/webhooks/service.ts';
import type { LanguageModel, ModelUsage } from '#lib/ports/language-model.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { passFaultPoint } from '#lib/fault-points.ts';
import { parseTraceparent } from '#lib/trace/context.ts';
import { tellTrace } from '#lib/trace/outgoing.ts';
import { type AnalysisResult, analyzeCall } from '../analyzer/analyze.ts';
import { extractResults } from '../analyzer/results/extract.ts';
import type { CallNotifier } from '../live/notifier.ts';
import type { CallStatus, CallTrigger } from '../machine.ts';
import { type CallMove, type CallRow, moveCall } from '../repository.ts';
import { costOf, shownSeconds, toldTrace, traceOfCall, usedSeconds } from '../rules.ts';
import { loadEndedCall } from './held/repository.ts';
import { endCall } from './repository.ts';
import { insertAttempt, type NewAttempt, planAttempt } from './retry.ts';

export type WrapUp = ReturnType<typeof createWrapUp>;

/** What a call row keeps of its outcome when the conversation is over. */
export function outcomeFields(outcome: CallOutcome, endedAt: Date) {
  return {
    outcome,
    endReason: outcome.endReason,
    appointment: outcome.appointment,
    callback: outcome.callback,
    lineTrace: null,
    endedAt,
  };
}

const NO_ANALYSIS: AnalysisResult = {
  summary: null,
  sentiment: 'N_A',
  tags: [],
  disposition: 'FAILED',
  by: 'rules',
  usage: undefined,
};

type Ended = {
  call: CallRow;
  from: CallStatus;
  owner: string | null;
  /** What brings the call to `wrapping_up` in the same moment, where it is not there yet. */
  before?: { trigger: CallTrigger; data: Record<string, unknown> };
  outcome: CallOutcome;
  analysis: AnalysisResult;
  /** null where the agent has no fields. */
  results: Result[] | null;
  transcript: string;
  cost: ReturnType<typeof costOf>;
  /** Whether the agent asks for a webhook. */
  hasWebhook: boolean;
  /** The attempt that follows, where the person was not reached and the prompt wants another one. */
  retry?: NewAttempt | undefined;
};

/** What the row of a call keeps of its end. The outcome's own fields stay as they are where they are stored already. */
function endedFields(ended: Ended, now: Date): NonNullable<CallMove['fields']> {
  const { call, outcome, analysis } = ended;
  return {
    ...(ended.before ? outcomeFields(outcome, now) : {}),
    endedAt: call.endedAt ?? now,
    durationSeconds: shownSeconds(outcome.connected, outcome.durationMs),
    disposition: analysis.disposition,
    tags: analysis.tags,
    sentiment: analysis.sentiment,
    summary: analysis.summary,
    results: ended.results,
    transcript: ended.transcript,
    cost: ended.cost.cents,
    costBreakdown: ended.cost.breakdown,
    reservedSeconds: 0,
    leaseOwner: null,
    leaseUntil: null,
  };
}

/**
 * The end of every call: analysis, cost, settled usage, state `ended` and the webhook, the last four in one statement or
 * transaction. Everything it needs is stored, so another process can do it again where the first one died.
 */
export function createWrapUp(
  deps: Pick<Dependencies, 'db' | 'clock' | 'ids' | 'queue' | 'log' | 'metrics' | 'tracer'> & {
    notifier: CallNotifier;
    webhooks: WebhookService;
    languageModel: LanguageModel | undefined;
  },
) {
  const { db, clock } = deps;

  async function finish(workspaceId: WorkspaceId, ended: Ended): Promise<boolean> {
    const { call, outcome, analysis } = ended;
    const now = clock.now();
    const last = {
      trigger: 'finish',
      data: { disposition: analysis.disposition, analyzedBy: analysis.by, endReason: outcome.endReason },
    } as const;
    const move: CallMove = {
      ...(ended.before ? { ...ended.before, followedBy: last } : last),
      callId: call.id,
      from: ended.from,
      at: now,
      owner: ended.owner,
      fields: endedFields(ended, now),
    };
    const settled = {
      month: call.usageMonth,
      reservedSeconds: call.reservedSeconds,
      usedSeconds: usedSeconds(outcome.connected, outcome.durationMs, call.reservedSeconds),
    };
    const isOurs =
      ended.hasWebhook || ended.retry
        ? await endInTransaction(workspaceId, { move, settled, ...ended })
        : await endCall(db, workspaceId, move, settled);
    if (isOurs) passFaultPoint('call.ended');
    if (isOurs) logEnd(call, outcome, analysis);
    deps.notifier.notify(workspaceId, call.id);
    if (ended.retry) deps.notifier.notify(workspaceId, ended.retry.id);
    return isOurs;
  }

  async function endInTransaction(
    workspaceId: WorkspaceId,
    {
      move,
      settled,
      hasWebhook,
      retry,
    }: { move: CallMove; settled: SettledSeconds } & Pick<Ended, 'hasWebhook' | 'retry'>,
  ): Promise<boolean> {
    if (hasWebhook) await deps.queue.ensure(webhookWaiting);
    return db.transaction(async (tx) => {
      if (!(await moveCall(tx, workspaceId, move))) return false;
      if (hasWebhook) await deps.webhooks.callEnded(tx, workspaceId, move.callId);
      // Last: all calls of a workspace wait for the month's row until whoever has it commits.
      await settlement(tx, workspaceId, settled);
      if (retry) await insertAttempt(tx, workspaceId, retry);
      return true;
    });
  }

  return {
    /**
     * Takes a call from `wrapping_up` to `ended`. False where it is no longer this owner's to end.
     */
    async endConversation(workspaceId: WorkspaceId, callId: string, owner: string): Promise<boolean> {
      const loaded = await loadEndedCall(db, workspaceId, callId);
      if (!loaded || loaded.call.status !== 'wrapping_up' || !loaded.call.outcome) return false;
      const { call, rateCard, hasWebhook } = loaded;
      const outcome = loaded.call.outcome;
      const { direction, channel } = call;
      const { turns, customTags, toolUses } = loaded;
      const read = { direction, channel, outcome, turns, customTags, toolUses };
      const place = { at: call.answeredAt ?? call.dateInitiated, timeZone: loaded.workspaceZone };
      const trace = toldTrace(deps.tracer, call);
      const [analysis, extraction] = await tellTrace(trace, () =>
        Promise.all([
          analyzeCall(read, deps),
          extractResults(loaded.resultFields, { ...read, turns, place }, deps),
        ]),
      );
      passFaultPoint('call.analyzed');
      const usage = withTokens(outcome.usage, [analysis.usage, extraction.usage]);
      // No carrier carries a chat.
      const rates = call.channel === 'chat' ? { ...rateCard, carrierCentsPerMinute: 0 } : rateCard;
      const cost = costOf(rates, { connected: outcome.connected, durationMs: outcome.durationMs, usage });
      const transcript = outcome.connected ? renderTranscript(loaded.turns) : '';
      return finish(workspaceId, {
        call,
        from: 'wrapping_up',
        owner,
        outcome,
        analysis,
        results: extraction.results,
        transcript,
        cost,
        hasWebhook,
      });
    },

    /**
     * Ends a call that was dialled and that nobody answered, from `from` and at once: there is nothing to read that
     * could take time. False where it is no longer this owner's to end.
     */
    async endUnanswered(
      workspaceId: WorkspaceId,
      callId: string,
      end: { from: CallStatus; owner: string; outcome: CallOutcome },
    ): Promise<boolean> {
      const loaded = await loadEndedCall(db, workspaceId, callId);
      if (!loaded) return false;
      const { from, owner, outcome } = end;
      const { call, rateCard, hasWebhook, turns, customTags } = loaded;
      const analysis = await analyzeCall({ direction: call.direction, outcome, turns, customTags }, deps);
      return finish(workspaceId, {
        call,
        from,
        owner,
        before: {
          trigger: 'never_connect',
          data: { endReason: outcome.endReason, endedBy: outcome.endedBy },
        },
        outcome,
        analysis,
        results: emptyResults(loaded.resultFields),
        transcript: '',
        cost: costOf(rateCard, { connected: false, durationMs: outcome.durationMs, usage: outcome.usage }),
        hasWebhook,
        retry: planAttempt(loaded, outcome.neverConnectedReason, {
          id: deps.ids.next('cnv'),
          at: clock.now(),
        }),
      });
    },

    /** Ends a call for which nobody was dialled: cancelled, or impossible to place. False where it is not queued any more. */
    async endUndialled(
      workspaceId: WorkspaceId,
      callId: string,
      end: {
        trigger: 'cancel' | 'give_up';
        owner: string | null;
        reason: string;
        endReason: string;
        data?: Record<string, unknown>;
      },
    ): Promise<boolean> {
      const loaded = await loadEndedCall(db, workspaceId, callId);
      if (!loaded) return false;
      const outcome = neverConnected(end.reason, end.endReason);
      return finish(workspaceId, {
        call: loaded.call,
        from: 'queued',
        owner: end.owner,
        before: { trigger: end.trigger, data: { endReason: end.endReason, ...end.data } },
        outcome,
        analysis: NO_ANALYSIS,
        results: emptyResults(loaded.resultFields),
        transcript: '',
        cost: costOf(FREE, { connected: false, durationMs: 0, usage: outcome.usage }),
        hasWebhook: loaded.hasWebhook,
      });
    },
  };

  function logEnd(call: CallRow, outcome: CallOutcome, analysis: AnalysisResult): void {
    const { direction, channel, carrier } = call;
    deps.metrics.callEnded({ direction, channel, carrier, outcome: analysis.disposition });
    const trace = traceOfCall(call);
    deps.tracer.record({
      name: channel,
      kind: 'internal',
      trace,
      parentSpanId: parseTraceparent(call.traceparent)?.spanId,
      startedAt: call.createdAt,
      endedAt: clock.now(),
      attributes: {
        'callwright.call_id': call.id,
        'callwright.workspace_id': call.workspaceId,
        'callwright.agent_id': call.agentId,
        'callwright.direction': direction,
        'callwright.carrier': carrier,
        'callwright.outcome': analysis.disposition,
        'callwright.connected': outcome.connected,
      },
      error: analysis.disposition === 'FAILED' ? (outcome.neverConnectedReason ?? 'failed') : undefined,
    });
    deps.log.info({
      event: 'call',
      traceId: trace.traceId,
      callId: call.id,
      workspaceId: call.workspaceId,
      agentId: call.agentId,
      direction: call.direction,
      channel: call.channel,
      carrier: call.carrier,
      connected: outcome.connected,
      neverConnectedReason: outcome.neverConnectedReason,
      disposition: analysis.disposition,
      analyzedBy: analysis.by,
      durationMs: outcome.durationMs,
      endedBy: outcome.endedBy,
    });
  }
}

function withTokens(
  usage: CallOutcome['usage'],
  added: readonly (ModelUsage | undefined)[],
): CallOutcome['usage'] {
  const sum = (kind: keyof ModelUsage) =>
    added.reduce((total, each) => total + (each?.[kind] ?? 0), usage[kind]);
  return { ...usage, inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens') };
}

const FREE = {
  carrierCentsPerMinute: 0,
  speechCentsPerMinute: 0,
  languageCentsPer1kInputTokens: 0,
  languageCentsPer1kOutputTokens: 0,
};
