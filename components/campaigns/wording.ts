import type { Tone } from '#components/ui/badge.tsx';
import type { Campaign } from '#lib/features/campaigns/contract.ts';
import type { CampaignPerson } from '#lib/features/campaigns/people/contract.ts';

export const STATE_WORDS: Record<Campaign['state'], { label: string; tone: Tone; isLive?: boolean }> = {
  draft: { label: 'Draft', tone: 'neutral' },
  checking: { label: 'Checking', tone: 'accent', isLive: true },
  ready: { label: 'Ready', tone: 'accent' },
  running: { label: 'Running', tone: 'success', isLive: true },
  paused: { label: 'Paused', tone: 'warning' },
  finished: { label: 'Finished', tone: 'neutral' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
};

export const PERSON_WORDS: Record<CampaignPerson['status'], { label: string; tone: Tone }> = {
  pending: { label: 'Not called yet', tone: 'neutral' },
  calling: { label: 'Being called', tone: 'success' },
  called: { label: 'Called', tone: 'neutral' },
  refused: { label: 'Could not be called', tone: 'danger' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
  faulty: { label: 'Fault', tone: 'danger' },
  duplicate: { label: 'Duplicate', tone: 'warning' },
  guess: { label: 'Guessed number', tone: 'warning' },
  opted_out: { label: 'Opted out', tone: 'warning' },
};

const counted = new Intl.NumberFormat('en-US');

export function count(value: number): string {
  return counted.format(value);
}

export function people(value: number): string {
  return value === 1 ? 'one person' : `${count(value)} people`;
}

/** Where a campaign is on its way, in the words of a list. */
export function stateLabel(campaign: Pick<Campaign, 'state' | 'startAt'>, nowMs: number | null): string {
  const isScheduled =
    campaign.state === 'running' &&
    campaign.startAt !== null &&
    nowMs !== null &&
    Date.parse(campaign.startAt) > nowMs;
  return isScheduled ? 'Scheduled' : STATE_WORDS[campaign.state].label;
}

/** How far it is, from 0 to 1: people with a call, or who could get none, of those who can be called. */
export function fractionDone({ counts }: Pick<Campaign, 'counts'>): number {
  return counts.callable === 0 ? 0 : Math.min(1, (counts.placed + counts.refused) / counts.callable);
}

/** How long the rest takes at its rate, where nothing else is in the way. */
export function remainingWords(pending: number, callsPerMinute: number): string {
  const minutes = Math.ceil(pending / callsPerMinute);
  if (minutes < 1) return 'no time';
  if (minutes < 60) return minutes === 1 ? 'a minute' : `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours === 1 ? 'an hour' : `${count(hours)} hours`;
}
