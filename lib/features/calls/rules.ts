import { createHash } from 'node:crypto';
import type { CostBreakdown } from '#db/schema/calls.ts';
import { type AppError, validationError } from '#lib/errors.ts';
import type { RateCard } from '#lib/features/workspaces/rules.ts';
import { parseTraceparent, type TraceContext, traceOf } from '#lib/trace/context.ts';
import type { OutboundCallBody } from './contract.ts';

/** How a call ends whose person opted out while it waited. */
export const OPTED_OUT = {
  trigger: 'give_up',
  reason: 'opted_out',
  endReason: 'The person asked not to be called again, so nobody was dialled.',
} as const;

/** How a call ends whose campaign was cancelled while it waited. */
export const CAMPAIGN_CANCELLED = {
  trigger: 'cancel',
  reason: 'cancelled',
  endReason: 'The campaign was cancelled before anybody was dialled.',
} as const;

/** More names than these help nobody. */
const MAX_NAMED = 20;

/** The refusal of a call whose hand-written opening states nothing without variables that were not given. */
export function openingUnsayable(missing: readonly string[]): AppError {
  return validationError(
    missing.slice(0, MAX_NAMED).map((name) => ({
      field: `variables.${name}`,
      reason: 'is needed: the opening cannot be said without it',
    })),
  );
}

/** What a caller of the API is told of an accepted call, and of its opening where another one is said. */
export function queuedMessage(missingForOpening: readonly string[] = []): string {
  if (missingForOpening.length === 0) return 'Call queued';
  const names = missingForOpening.slice(0, MAX_NAMED).join(', ');
  return `Call queued with another opening: the written one cannot be said without variables that were not given (${names})`;
}

/** Equal exactly for requests that ask for the same call, whatever the order of their fields. */
export function hashRequest(body: OutboundCallBody): string {
  const variables = Object.entries(body.variables ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const canonical = JSON.stringify([body.from, body.to, body.outboundPromptId ?? null, variables]);
  return createHash('sha256').update(canonical).digest('hex');
}

/** Length of a conversation as the API shows it: whole seconds, and at least one once somebody answered. */
export function shownSeconds(connected: boolean, durationMs: number): number {
  return connected ? Math.max(1, Math.round(durationMs / 1000)) : 0;
}

/**
 * Seconds of the monthly limit that a call used: those that its conversation shows, so that usage is their sum. It never
 * uses more than it reserved, so the limit cannot be passed.
 */
export function usedSeconds(connected: boolean, durationMs: number, reservedSeconds: number): number {
  return Math.min(reservedSeconds, shownSeconds(connected, durationMs));
}

/**
 * What a call costs, in cents, by the rate card (docs/costs.md): the carrier by started minutes, speech by what the
 * agent said, language by tokens. A call that never connected is free.
 */
export function costOf(
  rates: RateCard,
  call: {
    connected: boolean;
    durationMs: number;
    usage: { inputTokens: number; outputTokens: number; spokenMs: number };
  },
): { cents: number; breakdown: CostBreakdown } {
  if (!call.connected) return { cents: 0, breakdown: { carrierCents: 0, speechCents: 0, languageCents: 0 } };
  const startedMinutes = Math.max(1, Math.ceil(call.durationMs / 60_000));
  const breakdown = {
    carrierCents: roundCents(startedMinutes * rates.carrierCentsPerMinute),
    speechCents: roundCents((call.usage.spokenMs / 60_000) * rates.speechCentsPerMinute),
    languageCents: roundCents(
      (call.usage.inputTokens / 1000) * rates.languageCentsPer1kInputTokens +
        (call.usage.outputTokens / 1000) * rates.languageCentsPer1kOutputTokens,
    ),
  };
  return {
    cents: roundCents(breakdown.carrierCents + breakdown.speechCents + breakdown.languageCents),
    breakdown,
  };
}

/** A hundredth of a cent is the smallest amount that is kept. */
function roundCents(cents: number): number {
  return Math.round(cents * 100) / 100;
}

/** The span of a call, below the request that asked for it. */
export function traceOfCall(call: { id: string; traceparent: string | null }): TraceContext {
  return traceOf(call.id, parseTraceparent(call.traceparent));
}

/** What the call's requests to tools and models say, where traces are collected. */
export function toldTrace(
  { isOn }: { isOn: boolean },
  call: Parameters<typeof traceOfCall>[0],
): TraceContext | undefined {
  return isOn ? traceOfCall(call) : undefined;
}
