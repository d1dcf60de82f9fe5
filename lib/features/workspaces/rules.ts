/** Prices in cents. `docs/costs.md` says how a call's cost follows from it. */
export type RateCard = {
  carrierCentsPerMinute: number;
  speechCentsPerMinute: number;
  languageCentsPer1kInputTokens: number;
  languageCentsPer1kOutputTokens: number;
};

export const WORKSPACE_LIMITS = {
  name: 120,
  maxMonthlyMinutes: 10_000_000,
  maxConcurrentCalls: 10_000,
  maxCents: 100_000,
  announcement: 300,
  maxRetentionDays: 3_650,
} as const;

/** Cents. A nominal carrier rate, so that cost can be tried without any contract; local language and speech cost nothing. */
export const DEFAULT_RATE_CARD: RateCard = {
  carrierCentsPerMinute: 1.4,
  speechCentsPerMinute: 0,
  languageCentsPer1kInputTokens: 0,
  languageCentsPer1kOutputTokens: 0,
};

/** Whether this runtime's time zone data knows the IANA name. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

type RetentionSettings = {
  conversationRetentionDays?: number | null | undefined;
  recordingRetentionDays?: number | null | undefined;
};

/** The days that are kept from now on, where a change lets something go earlier; else null. */
export function shorterRetention(
  before: Required<RetentionSettings>,
  change: RetentionSettings,
): { conversationDays: number | null; recordingDays: number | null } | null {
  const after = {
    conversationDays: change.conversationRetentionDays,
    recordingDays: change.recordingRetentionDays,
  };
  const isShorter = (days: number | null | undefined, was: number | null | undefined) =>
    typeof days === 'number' && days < (was ?? Infinity);
  if (
    !isShorter(after.conversationDays, before.conversationRetentionDays) &&
    !isShorter(after.recordingDays, before.recordingRetentionDays)
  )
    return null;
  const {
    conversationDays = before.conversationRetentionDays,
    recordingDays = before.recordingRetentionDays,
  } = after;
  return { conversationDays: conversationDays ?? null, recordingDays: recordingDays ?? null };
}

/** The first moment of the month after `month` (`2026-11`), in UTC. */
export function monthAfter(month: string): Date {
  const start = new Date(`${month}-01T00:00:00.000Z`);
  return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1));
}
