const DAY_MS = 86_400_000;

/** Conversations that began before it are over their time. */
export function cutoffOf(days: number, now: Date): Date {
  return new Date(now.getTime() - days * DAY_MS);
}
