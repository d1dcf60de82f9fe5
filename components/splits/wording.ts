import { DISPOSITION_WORDS, SENTIMENT_WORDS } from '#components/conversations/wording.ts';
import { shareText } from '#components/overview/wording.ts';
import { versionName } from '#components/versions/wording.ts';
import type { Split, SplitRate, SplitResults } from '#lib/features/publishing/splits/contract.ts';

type Proportion = SplitRate['values'][number];
type Verdict = SplitResults['durationVerdict'];

/** "Version 3 gets 20% of new conversations" */
export function splitTitle({ version, percent, endedAt }: Split): string {
  const name = versionName(version);
  return endedAt === null
    ? `${name} gets ${percent}% of new conversations`
    : `${name} got ${percent}% of the conversations`;
}

const STEP_WORDS: Record<Split['steps'][number]['kind'], (step: Split['steps'][number]) => string> = {
  started: ({ percent, published }) =>
    `Started with ${percent}%, beside ${versionName(published).toLowerCase()}`,
  changed: ({ percent }) => `Changed to ${percent}%`,
  published: () => 'Published to all',
  stopped: ({ published }) => `Stopped: all have ${versionName(published).toLowerCase()}`,
};

export function stepSentence(step: Split['steps'][number]): string {
  return STEP_WORDS[step.kind](step);
}

/** How it ended, in a word or two. */
export function endWords({ steps }: Split): string {
  const last = steps.at(-1)?.kind;
  if (last === 'published') return 'published to all';
  return last === 'stopped' ? 'stopped' : 'ended with its agent';
}

/** What a row of the results counts, and of what. */
export function rateLabel({ what }: SplitRate): { label: string; of: string } {
  if (what.kind === 'reached') return { label: 'Answered by a person', of: 'of calls placed' };
  if (what.kind === 'outcome') return { label: DISPOSITION_WORDS[what.outcome].label, of: 'of calls' };
  if (what.kind === 'sentiment')
    return { label: SENTIMENT_WORDS[what.sentiment].label, of: 'of calls with a sentiment' };
  return what.type === 'yes_no'
    ? { label: `${what.name}: yes`, of: 'of conversations' }
    : { label: `${what.name}: found`, of: 'of conversations' };
}

/** "20 of 80, 18.2–31%" */
export function proportionDetail({ count, of, interval }: Proportion): string {
  const bounds = interval ? `, ${rangeText(interval)}` : '';
  return `${count} of ${of}${bounds}`;
}

function rangeText({ low, high }: { low: number; high: number }): string {
  return `${shareText(low).replace('%', '')}–${shareText(high)}`;
}

/** How the second version stands to what is published. */
export function differenceText(difference: SplitRate['difference']): string {
  if (!difference) return '–';
  const { verdict, low, high } = difference;
  if (verdict === 'too_few') return 'Too few to tell';
  const points = `${pointsText(low)} to ${pointsText(high)} points`;
  if (verdict === 'unclear') return `No clear difference (${points})`;
  return `${verdict === 'higher' ? 'Higher' : 'Lower'} by ${points}`;
}

export function verdictText(verdict: Verdict): string {
  if (verdict === null) return '–';
  const words = {
    higher: 'Longer',
    lower: 'Shorter',
    unclear: 'No clear difference',
    too_few: 'Too few to tell',
  };
  return words[verdict];
}

function pointsText(share: number): string {
  const points = Math.round(share * 1000) / 10;
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : '0';
}

/** "1:05 min", and seconds below a minute. */
export function durationText(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')} min`;
}

/** What publishing something else leaves as it is; nothing where no version has a share. */
export function shareStays(split: Pick<Split, 'version' | 'percent'> | null | undefined): string {
  return split
    ? ` ${versionName(split.version)} keeps its ${split.percent}% of new conversations: this is for the others.`
    : '';
}
