import type { Tone } from '#components/ui/badge.tsx';
import { dateFormat } from '#lib/date-format.ts';
import type { CallListItem } from '#lib/features/conversations/contract.ts';
import { cityOf } from '#lib/calling-hours/city.ts';
import { formatPhoneNumber, WEB_CALLER, WITHHELD_NUMBER } from '#lib/phone-number.ts';

type Disposition = NonNullable<CallListItem['disposition']>;
type Sentiment = NonNullable<CallListItem['sentiment']>;
type Status = CallListItem['status'];

export const DISPOSITION_WORDS: Record<Disposition, { label: string; tone: Tone; meaning: string }> = {
  COMPLETED: { label: 'Completed', tone: 'neutral', meaning: 'The conversation came to its natural end.' },
  APPOINTMENT_BOOKED: {
    label: 'Appointment booked',
    tone: 'success',
    meaning: 'A definite day and time was agreed.',
  },
  SCHEDULED_CALLBACK: {
    label: 'Callback requested',
    tone: 'accent',
    meaning: 'The person wants to be called back.',
  },
  TRANSFERRED: { label: 'Transferred', tone: 'accent', meaning: 'The person was handed to a colleague.' },
  VOICEMAIL: { label: 'Voicemail', tone: 'neutral', meaning: 'A voicemail answered.' },
  ABANDONED: { label: 'Abandoned', tone: 'warning', meaning: 'The person hung up or fell silent early.' },
  FAILED: { label: 'Failed', tone: 'danger', meaning: 'The call never connected.' },
};

export const SENTIMENT_WORDS: Record<Sentiment, { label: string; tone: Tone }> = {
  POSITIVE: { label: 'Positive', tone: 'success' },
  NEUTRAL: { label: 'Neutral', tone: 'neutral' },
  NEGATIVE: { label: 'Negative', tone: 'danger' },
  N_A: { label: 'Not available', tone: 'neutral' },
};

export const STATUS_WORDS: Record<Status, { label: string; tone: Tone }> = {
  queued: { label: 'Queued', tone: 'neutral' },
  dialing: { label: 'Dialing', tone: 'warning' },
  ringing: { label: 'Ringing', tone: 'warning' },
  in_progress: { label: 'In progress', tone: 'success' },
  wrapping_up: { label: 'Wrapping up', tone: 'accent' },
  ended: { label: 'Ended', tone: 'neutral' },
};

type Waiting = Pick<CallListItem, 'status' | 'waitsUntil'>;

/** Where a call stands; of one that waits, until when: `Queued until 9:00 AM in New York`. */
export function statusLabel(call: Waiting, now: Date): string {
  return waitingLabel(call, now) ?? STATUS_WORDS[call.status].label;
}

/** null for a call that waits for nothing but a free line. */
function waitingLabel({ status, waitsUntil }: Waiting, now: Date): string | null {
  if (status !== 'queued' || waitsUntil === null) return null;
  const at = new Date(waitsUntil.at);
  if (at <= now) return null;
  const zone = waitsUntil.timeZone;
  const inZone = zone === null ? {} : { timeZone: zone };
  const dayOf = (date: Date) => dateFormat({ dateStyle: 'short', ...inZone }).format(date);
  const day = dayOf(at) === dayOf(now) ? {} : ({ weekday: 'short' } as const);
  const time = dateFormat({ ...day, hour: 'numeric', minute: '2-digit', ...inZone });
  return `Queued until ${time.format(at)}${zone === null ? '' : ` in ${cityOf(zone)}`}`;
}

/** `appointment_booked` → `Appointment booked`. */
export function tagLabel(tag: string): string {
  const words = tag.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const TAG_OF_OUTCOME: Partial<Record<Disposition, string>> = {
  VOICEMAIL: 'voicemail',
  TRANSFERRED: 'transferred',
  APPOINTMENT_BOOKED: 'appointment_booked',
  SCHEDULED_CALLBACK: 'callback_scheduled',
};

/** The tags that say more than the outcome beside them. */
export function furtherTags(call: Pick<CallListItem, 'tags' | 'disposition'>): string[] {
  const said = call.disposition ? TAG_OF_OUTCOME[call.disposition] : undefined;
  return call.tags.filter((tag) => tag !== said);
}

/** `75` → `1:15`, `3700` → `1:01:40`. */
export function durationLabel(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const rest = String(whole % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}

/** `75` → `1 min 15 s`, for screen readers and sentences. */
export function durationWords(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const minutes = Math.floor(whole / 60);
  return minutes === 0 ? `${whole} s` : `${minutes} min ${whole % 60} s`;
}

const DOLLARS = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 4,
});

/** Cents as dollars; fractions of a cent stay visible, since single calls often cost less than one. */
export function costLabel(cents: number): string {
  return DOLLARS.format(Math.round(cents * 100) / 10_000);
}

export function callTitle(
  call: Pick<CallListItem, 'direction' | 'humanPhoneNumber'> & { channel?: CallListItem['channel'] },
): string {
  if (call.channel === 'chat') return 'Chat';
  if (call.humanPhoneNumber === WEB_CALLER) return 'Call in a browser';
  if (call.humanPhoneNumber === WITHHELD_NUMBER) return 'Call from a withheld number';
  return `${call.direction === 'INBOUND' ? 'Call from' : 'Call to'} ${formatPhoneNumber(call.humanPhoneNumber)}`;
}
