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
