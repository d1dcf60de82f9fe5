/** Minutes are counted as started ones: a call reserves a whole minute before it may use it. */
export const MINUTE_SECONDS = 60;

/** The calendar month, in UTC, that a call counts in: the one it was accepted in, even when it runs past the end. */
export function usageMonthOf(moment: Date): string {
  return moment.toISOString().slice(0, 7);
}

/** Seconds to reserve so that a call may last `totalSeconds`: whole minutes, at least one. */
export function secondsToReserve(totalSeconds: number): number {
  return Math.max(1, Math.ceil(totalSeconds / MINUTE_SECONDS)) * MINUTE_SECONDS;
}

/** What uses minutes. The limit holds for outbound calls, for incoming ones where the workspace says so, and for no test. */
export type UsedBy = 'outbound' | 'incoming' | 'test';

/** Calls of browsers come in, also those that an agent opens with an outbound prompt: nobody is dialled for them. */
export function usedByOf({
  isTest = false,
  direction,
  carrier,
}: {
  isTest?: boolean | undefined;
  direction: 'INBOUND' | 'OUTBOUND';
  carrier: string;
}): UsedBy {
  if (isTest) return 'test';
  return direction === 'INBOUND' || carrier === 'browser' ? 'incoming' : 'outbound';
}

export const LIMIT_REACHED = {
  outbound:
    'The workspace has reached its monthly usage limit: outbound calls are refused until an admin raises it in Settings, Workspace, or the next month begins (UTC)',
  incoming:
    'The workspace has reached its monthly usage limit and refuses incoming calls beyond it: Settings, Workspace',
} as const;
