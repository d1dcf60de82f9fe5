import { dateFormat } from '#lib/date-format.ts';
import type { Overview, OverviewFigures } from '#lib/features/overview/contract.ts';

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const wholeDollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
});

export const countText = (count: number): string => whole.format(count);
export const minutesText = (minutes: number): string =>
  `${(minutes < 100 ? tenths : whole).format(minutes)} min`;
/** Sums over days: cents are enough. */
export const moneyText = (cents: number): string =>
  (Math.abs(cents) < 1_000_000 ? dollars : wholeDollars).format(cents / 100);
export const shareText = (share: number | null): string =>
  share === null ? '–' : `${tenths.format(share * 100)}%`;
export const secondsText = (milliseconds: number | null): string =>
  milliseconds === null ? '–' : `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 1)} s`;

/** Of outbound calls, those that a person answered; null without any. */
export function answerRate({ outbound, reached }: OverviewFigures): number | null {
  return outbound === 0 ? null : reached / outbound;
}

/** Of calls whose sentiment is known; null without any. */
export function positiveShare({ sentiments }: OverviewFigures): number | null {
  const known = sentiments.POSITIVE + sentiments.NEUTRAL + sentiments.NEGATIVE;
  return known === 0 ? null : sentiments.POSITIVE / known;
}

export type Change = { short: string; words: string; direction: 'up' | 'down' | 'same' };

/** How a number stands to the one before; null where neither says anything. */
export function changeOf(current: number | null, before: number | null): Change | null {
  if (current === null || (before === null && current === 0)) return null;
  if (before === null || before === 0) {
    return current === 0
      ? null
      : { short: 'new', words: 'nothing to compare with before', direction: 'same' };
  }
  const share = (current - before) / before;
  const percent = tenths.format(Math.abs(share) * 100);
  if (percent === '0') return { short: 'unchanged', words: 'as before', direction: 'same' };
  return share > 0
    ? { short: `+${percent}%`, words: `${percent} percent more than before`, direction: 'up' }
    : { short: `−${percent}%`, words: `${percent} percent less than before`, direction: 'down' };
}

/** The same of a share, in points of a hundred. */
export function changeOfShare(current: number | null, before: number | null): Change | null {
  if (current === null) return null;
  if (before === null) return { short: 'new', words: 'nothing to compare with before', direction: 'same' };
  const points = tenths.format(Math.abs(current - before) * 100);
  if (points === '0') return { short: 'unchanged', words: 'as before', direction: 'same' };
  return current > before
    ? { short: `+${points} pts`, words: `${points} percentage points more than before`, direction: 'up' }
    : { short: `−${points} pts`, words: `${points} percentage points less than before`, direction: 'down' };
}

type Unit = Overview['unit'];

/** Node and browsers put different kinds of spaces into dates; the page of the server would not be that of the browser. */
const plainSpaces = (text: string) => text.replace(/\s/g, ' ');

type Moments = { startsAt: string; endsAt: string };

/** What a period is called, by the clock of the workspace: `9 AM`, `Nov 3`, `Nov 3 – 9`. */
export function periodName({ startsAt, endsAt }: Moments, unit: Unit, timeZone: string): string {
  if (unit === 'hour')
    return plainSpaces(dateFormat({ hour: 'numeric', timeZone }).format(new Date(startsAt)));
  const day = dateFormat({ month: 'short', day: 'numeric', timeZone });
  return unit === 'day' ? plainSpaces(day.format(new Date(startsAt))) : fromTo(day, { startsAt, endsAt });
}

/** The same where there is little room. */
export function periodTick(startsAt: string, unit: Unit, timeZone: string): string {
  return periodName({ startsAt, endsAt: startsAt }, unit === 'week' ? 'day' : unit, timeZone);
}

/** `Nov 1 – 22, 2026`. */
export function rangeText(span: Moments, timeZone: string): string {
  return fromTo(dateFormat({ dateStyle: 'medium', timeZone }), span);
}

/** The end does not belong to it. */
function fromTo(format: Intl.DateTimeFormat, { startsAt, endsAt }: Moments): string {
  return plainSpaces(format.formatRange(new Date(startsAt), new Date(Date.parse(endsAt) - 1)));
}
