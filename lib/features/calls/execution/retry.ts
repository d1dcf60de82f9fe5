import type { Database } from '#db/client.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { findOptOut } from '#lib/features/opt-outs/repository.ts';
import { nextAttempt, type RetryRule } from '#lib/features/prompts/retry/rules.ts';
import { MINUTE_SECONDS, usageMonthOf } from '#lib/features/usage/rules.ts';
import { plannedRow, type WhenToCall } from '../admission/waiting.ts';
import { type CallRow, insertReservedCall, type NewCallRow, recordEvent } from '../repository.ts';

/** The row of another attempt, and the call that it follows on. */
export type NewAttempt = NewCallRow & {
  follows: string;
  attempt: number;
  attemptsPlanned: number;
  dueAt: Date;
};

/**
 * The attempt that follows on a call whose person was not reached, where its prompt wants one: a call of its own, with
 * its own conversation and its own fence. Never for a call that came in, nor for a test.
 */
export function planAttempt(
  ended: { call: CallRow; retry: RetryRule | null; isCampaignCancelled: boolean } & WhenToCall,
  reason: string | null,
  { id, at }: { id: string; at: Date },
): NewAttempt | undefined {
  const { call, retry } = ended;
  if (call.direction !== 'OUTBOUND' || call.isTest || call.carrier === 'browser') return undefined;
  if (ended.isCampaignCancelled) return undefined;
  const next = nextAttempt(retry, { attempt: call.attempt, reason, at });
  if (!next || !retry) return undefined;
  const { agentId, outboundPromptId, phoneNumberId, direction, carrier, variables } = call;
  const { agentPhoneNumber, humanPhoneNumber, campaignId } = call;
  return {
    id,
    follows: call.id,
    retryOf: call.retryOf ?? call.id,
    attempt: next.attempt,
    attemptsPlanned: retry.attempts,
    dueAt: next.dueAt,
    ...plannedRow(ended, { to: humanPhoneNumber, dueAt: next.dueAt, now: at }),
    agentId,
    outboundPromptId,
    phoneNumberId,
    direction,
    carrier,
    variables,
    agentPhoneNumber,
    humanPhoneNumber,
    campaignId,
    reservedSeconds: MINUTE_SECONDS,
    usageMonth: usageMonthOf(at),
    dateInitiated: at,
    createdAt: at,
    updatedAt: at,
  };
}

/**
 * Writes it in the transaction that ends the call before it: there is one exactly where that call ended, whoever dies.
 * Where the person opted out or the month's limit is reached, the timeline of the ended call says why there is none.
 */
export async function insertAttempt(
  tx: Database,
  workspaceId: WorkspaceId,
  { follows, ...row }: NewAttempt,
): Promise<void> {
  const { attempt, attemptsPlanned, createdAt: at } = row;
  const isOptedOut = (await findOptOut(tx, workspaceId, row.humanPhoneNumber)) !== undefined;
  const isPlanned = !isOptedOut && (await insertReservedCall(tx, workspaceId, row));
  const told = { attempt, attempts: attemptsPlanned };
  const event = isPlanned
    ? { type: 'retry.planned', data: { ...told, conversationId: row.id, dueAt: row.dueAt.toISOString() } }
    : { type: 'retry.refused', data: { ...told, reason: isOptedOut ? 'opted out' : 'usage limit' } };
  await recordEvent(tx, workspaceId, { callId: follows, at, ...event });
}
