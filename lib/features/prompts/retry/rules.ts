/** What may be tried again: the carrier said so, and nobody was reached. */
export const RETRIED_REASONS = ['busy', 'no_answer'] as const;
export type RetriedReason = (typeof RETRIED_REASONS)[number];

/** Whether and when a person who was not reached is called again; `attempts` counts the first call too. */
export type RetryRule = { isOn: boolean; attempts: number; delayMinutes: number; on: RetriedReason[] };

export const NO_RETRY: RetryRule = { isOn: false, attempts: 3, delayMinutes: 60, on: [...RETRIED_REASONS] };

export const RETRY_LIMITS = {
  minAttempts: 2,
  maxAttempts: 5,
  minDelayMinutes: 1,
  maxDelayMinutes: 7 * 1440,
} as const;

/** The attempt that follows on one that was not answered, or undefined where there is none. */
export function nextAttempt(
  rule: RetryRule | null,
  ended: { attempt: number; reason: string | null; at: Date },
): { attempt: number; dueAt: Date } | undefined {
  if (!rule?.isOn || ended.attempt >= rule.attempts) return undefined;
  if (!rule.on.some((reason) => reason === ended.reason)) return undefined;
  return { attempt: ended.attempt + 1, dueAt: new Date(ended.at.getTime() + rule.delayMinutes * 60_000) };
}
