import type { Database } from '#db/client.ts';
import type { CallOutcome } from '#db/schema/calls.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { renderTranscript } from '#lib/engine/transcript.ts';
import { settleSeconds } from '#lib/features/usage/repository.ts';
import { webhookWaiting } from '#lib/features/webhooks/jobs.ts';
import type { WebhookService } from '#lib/features/webhooks/service.ts';
import type { LanguageModel } from '#lib/ports/language-model.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { type AnalysisResult, analyzeCall } from '../analyzer/analyze.ts';
import type { CallNotifier } from '../live/notifier.ts';
import { type CallRow, findCall, moveCall } from '../repository.ts';
import { costOf, shownSeconds, usedSeconds } from '../rules.ts';
import { loadEndedCall } from './repository.ts';

export type WrapUp = ReturnType<typeof createWrapUp>;

/** The outcome of a call on which nobody ever answered. */
export function neverConnected(reason: string, endReason: string): CallOutcome {
  return {
    connected: false,
    neverConnectedReason: reason,
    answeredBy: null,
    durationMs: 0,
    voicemail: null,
    transferredTo: null,
    appointment: null,
    callback: null,
    endedBy: null,
    endReason,
    usage: { inputTokens: 0, outputTokens: 0, spokenMs: 0 },
  };
}

/** What a call row keeps of its outcome when the conversation is over. */
export function outcomeFields(outcome: CallOutcome, endedAt: Date) {
  return {
    outcome,
    endReason: outcome.endReason,
    appointment: outcome.appointment,
    callback: outcome.callback,
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

/**
 * The end of every call: analysis, cost, settled usage, state `ended` and the webhook, the last four in one
 * transaction. Everything it needs is stored, so another process can do it again where the first one died.
 */
export function createWrapUp(
  deps: Pick<Dependencies, 'db' | 'clock' | 'queue' | 'log'> & {
    notifier: CallNotifier;
    webhooks: WebhookService;
    languageModel: LanguageModel | undefined;
  },
) {
  const { db, clock } = deps;

  async function finish(
    tx: Database,
    workspaceId: WorkspaceId,
    ended: {
      call: CallRow;
      owner: string | null;
      outcome: CallOutcome;
      analysis: AnalysisResult;
      transcript: string;
      cost: ReturnType<typeof costOf>;
    },
  ): Promise<boolean> {
    const { call, outcome, analysis, cost } = ended;
    const now = clock.now();
    const moved = await moveCall(tx, workspaceId, {
      callId: call.id,
      from: 'wrapping_up',
      trigger: 'finish',
      at: now,
      owner: ended.owner,
      fields: {
        endedAt: call.endedAt ?? now,
        durationSeconds: shownSeconds(outcome.connected, outcome.durationMs),
        disposition: analysis.disposition,
        tags: analysis.tags,
        sentiment: analysis.sentiment,
        summary: analysis.summary,
        transcript: ended.transcript,
        cost: cost.cents,
        costBreakdown: cost.breakdown,
        reservedSeconds: 0,
        leaseOwner: null,
        leaseUntil: null,
      },
      data: { disposition: analysis.disposition, analyzedBy: analysis.by, endReason: outcome.endReason },
    });
    if (!moved) return false;
    await deps.webhooks.callEnded(tx, workspaceId, call.id);
    // Last: all calls of a workspace wait for the month's row until whoever has it commits.
    await settleSeconds(tx, workspaceId, {
      month: call.usageMonth,
      reservedSeconds: call.reservedSeconds,
      usedSeconds: usedSeconds(outcome.connected, outcome.durationMs, call.reservedSeconds),
    });
    return true;
  }

  return {
    /**
     * Takes a call from `wrapping_up` to `ended`. False where it is no longer this owner's to end.
     */
    async endConversation(workspaceId: WorkspaceId, callId: string, owner: string): Promise<boolean> {
      const loaded = await loadEndedCall(db, workspaceId, callId);
      if (!loaded || loaded.call.status !== 'wrapping_up' || !loaded.call.outcome) return false;
      const { call, rateCard } = loaded;
      const outcome = loaded.call.outcome;
      const analysis = await analyzeCall(
        { direction: call.direction, outcome, turns: loaded.turns, customTags: loaded.customTags },
        deps,
      );
      const usage = {
        ...outcome.usage,
        inputTokens: outcome.usage.inputTokens + (analysis.usage?.inputTokens ?? 0),
        outputTokens: outcome.usage.outputTokens + (analysis.usage?.outputTokens ?? 0),
      };
      const cost = costOf(rateCard, { connected: outcome.connected, durationMs: outcome.durationMs, usage });
      const transcript = outcome.connected ? renderTranscript(loaded.turns) : '';
      await deps.queue.ensure(webhookWaiting);
      const ended = await db.transaction((tx) =>
        finish(tx, workspaceId, { call, owner, outcome, analysis, transcript, cost }),
      );
      if (ended) logEnd(call, outcome, analysis);
      deps.notifier.notify(workspaceId, callId);
      return ended;
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
      const outcome = neverConnected(end.reason, end.endReason);
      const now = clock.now();
      await deps.queue.ensure(webhookWaiting);
      const ended = await db.transaction(async (tx) => {
        const moved = await moveCall(tx, workspaceId, {
          callId,
          from: 'queued',
          trigger: end.trigger,
          at: now,
          owner: end.owner,
          fields: { ...outcomeFields(outcome, now), leaseOwner: end.owner },
          data: { endReason: end.endReason, ...end.data },
        });
        if (!moved) return undefined;
        const call = await findCall(tx, workspaceId, callId);
        const cost = costOf(FREE, { connected: false, durationMs: 0, usage: outcome.usage });
        await finish(tx, workspaceId, {
          call,
          owner: end.owner,
          outcome,
          analysis: NO_ANALYSIS,
          transcript: '',
          cost,
        });
        return call;
      });
      if (ended) logEnd(ended, outcome, NO_ANALYSIS);
      deps.notifier.notify(workspaceId, callId);
      return ended !== undefined;
    },
  };

  function logEnd(call: CallRow, outcome: CallOutcome, analysis: AnalysisResult): void {
    deps.log.info({
      event: 'call',
      callId: call.id,
      workspaceId: call.workspaceId,
      agentId: call.agentId,
      direction: call.direction,
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

const FREE = {
  carrierCentsPerMinute: 0,
  speechCentsPerMinute: 0,
  languageCentsPer1kInputTokens: 0,
  languageCentsPer1kOutputTokens: 0,
};
