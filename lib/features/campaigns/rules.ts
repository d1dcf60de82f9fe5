import { AppError } from '#lib/errors.ts';

export const CAMPAIGN_STATES = [
  'draft',
  'checking',
  'ready',
  'running',
  'paused',
  'finished',
  'cancelled',
] as const;
export type CampaignState = (typeof CAMPAIGN_STATES)[number];

/**
 * What became of a line of a campaign's list. `faulty`, `duplicate` and `opted_out` are never called; `guess`: the number
 * may be another one than was meant, so it is not called before somebody says yes; `placed`: there is a call; `refused`:
 * the call could not be placed when its turn came.
 */
export const PERSON_STATES = [
  'pending',
  'placed',
  'faulty',
  'duplicate',
  'guess',
  'opted_out',
  'refused',
  'cancelled',
] as const;
export type PersonState = (typeof PERSON_STATES)[number];

export const CAMPAIGN_LIMITS = {
  name: 120,
  people: 20_000,
  /** Of a file: 20,000 rows of 800 characters. */
  fileBytes: 16 * 1024 * 1024,
  columns: 100,
  /** Characters of a number as it was written that are kept and shown. */
  givenNumber: 60,
  maxCallsPerMinute: 6_000,
  defaultCallsPerMinute: 30,
} as const;

/** What a process that comes late may catch up on: the calls of so long a time. */
const BURST_MS = 2_000;

/**
 * How many calls a campaign may place now, and from when on the next one after them: calls are spaced evenly, and what was
 * not used is not saved up.
 */
export function allowance(
  { callsPerMinute, nextReleaseAt }: { callsPerMinute: number; nextReleaseAt: Date | null },
  now: Date,
): { count: number; after: (placed: number) => Date } {
  const gapMs = 60_000 / callsPerMinute;
  const earliestMs = now.getTime() - Math.max(BURST_MS - gapMs, 0);
  const fromMs = Math.max(nextReleaseAt?.getTime() ?? now.getTime(), earliestMs);
  const count = fromMs > now.getTime() ? 0 : Math.floor((now.getTime() - fromMs) / gapMs) + 1;
  return { count, after: (placed) => new Date(fromMs + placed * gapMs) };
}

/**
 * How many calls of a campaign may wait for a free line before it places no more: enough to keep all lines busy, few enough
 * that a pause or an opt-out finds its people not yet in the queue.
 */
export function mostWaiting(callsPerMinute: number): number {
  return Math.min(100, Math.max(5, Math.ceil(callsPerMinute / 6)));
}

const WORDS: Record<CampaignState, string> = {
  draft: 'has no list of people yet',
  checking: 'is being checked',
  ready: 'has not been started',
  running: 'is running',
  paused: 'is paused',
  finished: 'is finished',
  cancelled: 'was cancelled',
};

export function wrongState(state: CampaignState): AppError {
  return new AppError('INVALID_STATE', `The campaign ${WORDS[state]}, so this is not possible`);
}
