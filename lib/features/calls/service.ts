import type { z } from 'zod';
import type { Database } from '#db/client.ts';
import type { Actor, WorkspaceId } from '#lib/auth/actor.ts';
import { AppError } from '#lib/errors.ts';
import { reserveSeconds } from '#lib/features/usage/repository.ts';
import { MINUTE_SECONDS, usageMonthOf } from '#lib/features/usage/rules.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { OutboundCallBody, queuedCall } from './contract.ts';
import { callWaiting } from './jobs.ts';
import type { CallNotifier } from './live/notifier.ts';
import { findAnsweredRequest, forgetAnswer, rememberAnswer } from './admission/repository.ts';
import { chooseOutboundPrompt, findAgentNumber } from './admission/target.ts';
import { findCall, insertCall } from './repository.ts';
import { hashRequest, IDEMPOTENCY_HOURS } from './rules.ts';
import type { WrapUp } from './execution/wrap-up.ts';

type QueuedCall = z.output<typeof queuedCall>;
type NewCall = {
  phoneNumberId: string;
  agentId: string;
  outboundPromptId: string | null;
  direction: 'INBOUND' | 'OUTBOUND';
  carrier: 'simulated' | 'twilio' | 'sip';
  agentPhoneNumber: string;
  humanPhoneNumber: string;
  variables: Record<string, string>;
};

export function createCallService(
  deps: Pick<Dependencies, 'db' | 'clock' | 'ids' | 'queue'> & { notifier: CallNotifier; wrapUp: WrapUp },
) {
  const { db, clock, ids, queue } = deps;

  /** Row, held minute and job in the caller's transaction: all of them exist, or none. */
  async function accept(
    tx: Database,
    workspaceId: WorkspaceId,
    callId: string,
    call: NewCall,
  ): Promise<void> {
    const now = clock.now();
    const usageMonth = usageMonthOf(now);
    if (!(await reserveSeconds(tx, workspaceId, usageMonth, MINUTE_SECONDS))) {
      throw new AppError('USAGE_LIMIT_EXCEEDED', 'The workspace has reached its monthly usage limit');
    }
    await insertCall(tx, workspaceId, {
      ...call,
      id: callId,
      reservedSeconds: MINUTE_SECONDS,
      usageMonth,
      dateInitiated: now,
      createdAt: now,
      updatedAt: now,
    });
    await queue.send(callWaiting, { workspaceId }, { tx });
  }

  async function replay(
    workspaceId: WorkspaceId,
    key: string,
    hash: string,
  ): Promise<QueuedCall | undefined> {
    const first = await findAnsweredRequest(db, workspaceId, key, oldestKey());
    if (!first) return undefined;
    if (first.requestHash !== hash) {
      throw new AppError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used with a different request');
    }
    return first.response as QueuedCall;
  }

  const oldestKey = () => new Date(clock.now().getTime() - IDEMPOTENCY_HOURS * 3_600_000);

  return {
    /**
     * Accepts an outbound call (contract, POST /outbound). With an idempotency key a repeat, parallel ones too, gets
     * the first answer. Throws 404 for an unknown number or prompt, 403 for another workspace's prompt and for the
     * monthly limit, 400 for an agent that is switched off or has no prompt, and for a missing variable without which
     * the opening cannot be said.
     */
    async queueOutbound(actor: Actor, body: OutboundCallBody, idempotencyKey?: string): Promise<QueuedCall> {
      const { workspaceId } = actor;
      const hash = hashRequest(body);
      const repeated =
        idempotencyKey === undefined ? undefined : await replay(workspaceId, idempotencyKey, hash);
      if (repeated) return repeated;

      const number = await findAgentNumber(db, workspaceId, body.from);
      const variables = body.variables ?? {};
      const outboundPromptId = await chooseOutboundPrompt(db, workspaceId, number.agentId, {
        outboundPromptId: body.outboundPromptId,
        variables,
      });
      const callId = ids.next('cnv');
      const answer: QueuedCall = {
        from: body.from,
        to: body.to,
        conversationId: callId,
        outboundPromptId,
        variables,
      };

      await queue.ensure(callWaiting);
      const accepted = await db.transaction(async (tx) => {
        if (idempotencyKey !== undefined) {
          await forgetAnswer(tx, workspaceId, idempotencyKey, oldestKey());
          const isFirst = await rememberAnswer(tx, workspaceId, {
            id: ids.next('idem'),
            key: idempotencyKey,
            requestHash: hash,
            response: answer,
            createdAt: clock.now(),
          });
          if (!isFirst) return false;
        }
        await accept(tx, workspaceId, callId, {
          phoneNumberId: number.id,
          agentId: number.agentId,
          outboundPromptId,
          direction: 'OUTBOUND',
          carrier: number.carrier,
          agentPhoneNumber: body.from,
          humanPhoneNumber: body.to,
          variables,
        });
        return true;
      });
      if (!accepted && idempotencyKey !== undefined) {
        const first = await replay(workspaceId, idempotencyKey, hash);
        if (!first)
          throw new AppError('NOT_READY', 'The first request with this Idempotency-Key is not finished', {
            retryAfterSeconds: 1,
          });
        return first;
      }
      deps.notifier.notify(workspaceId, callId);
      return answer;
    },

    /** Lets a simulated person call a number of the workspace. Errors as for an outbound call. */
    async simulateInbound(
      actor: Actor,
      call: { to: string; from: string; variables?: Record<string, string> | undefined },
    ): Promise<{ callId: string }> {
      const { workspaceId } = actor;
      const number = await findAgentNumber(db, workspaceId, call.to);
      const callId = ids.next('cnv');
      await queue.ensure(callWaiting);
      await db.transaction((tx) =>
        accept(tx, workspaceId, callId, {
          phoneNumberId: number.id,
          agentId: number.agentId,
          outboundPromptId: null,
          direction: 'INBOUND',
          carrier: 'simulated',
          agentPhoneNumber: call.to,
          humanPhoneNumber: call.from,
          variables: call.variables ?? {},
        }),
      );
      deps.notifier.notify(workspaceId, callId);
      return { callId };
    },

    /** Ends a call nobody was dialled for yet; it becomes a failed conversation. 400 INVALID_STATE once it is dialling. */
    async cancel(actor: Actor, callId: string): Promise<void> {
      await findCall(db, actor.workspaceId, callId);
      const wasQueued = await deps.wrapUp.endUndialled(actor.workspaceId, callId, {
        trigger: 'cancel',
        owner: null,
        reason: 'cancelled',
        endReason: 'The call was cancelled before anybody was dialled.',
        data: { by: actor.label },
      });
      if (!wasQueued)
        throw new AppError('INVALID_STATE', 'The call is no longer queued and cannot be cancelled');
    },
  };
}
