import type { Weekday } from '#lib/calling-hours/calling-hours.ts';

/** A part of a day by the clock of the calendar: `HH:MM`, `until` may be `24:00`. */
export type Span = { from: string; until: string };

/** When appointments begin, how long they take, and what they are called. */
export type CalendarSettings = {
  /** IANA name; null: the workspace's. */
  timeZone: string | null;
  /** A day without spans is closed. */
  week: Record<Weekday, Span[]>;
  /** Days that differ from their weekday, like holidays; without spans: closed. */
  exceptions: { date: string; spans: Span[] }[];
  slotMinutes: number;
  /** Kept free before and after every appointment. */
  bufferMinutes: number;
  /** No appointment sooner than this. */
  noticeMinutes: number;
  /** None later than this. */
  daysAhead: number;
  /** Of the event, with `{{name}}`, `{{topic}}` and `{{phone}}`. */
  title: string;
};

export const CALENDAR_LIMITS = {
  spansPerDay: 6,
  exceptions: 200,
  slotMinutes: { min: 5, max: 480 },
  bufferMinutes: { min: 0, max: 240 },
  noticeMinutes: { min: 0, max: 20_160 },
  daysAhead: { min: 1, max: 365 },
  title: 200,
  userName: 320,
  password: 1024,
  calendars: 100,
  url: 2048,
} as const;

const WORKING_DAY: Span[] = [{ from: '09:00', until: '17:00' }];

export const DEFAULT_SETTINGS: CalendarSettings = {
  timeZone: null,
  week: {
    mon: WORKING_DAY,
    tue: WORKING_DAY,
    wed: WORKING_DAY,
    thu: WORKING_DAY,
    fri: WORKING_DAY,
    sat: [],
    sun: [],
  },
  exceptions: [],
  slotMinutes: 30,
  bufferMinutes: 0,
  noticeMinutes: 120,
  daysAhead: 60,
  title: '{{topic}} – {{name}}',
};

/** Why spans of one day cannot be; undefined where they can. */
export function spansFault(spans: readonly Span[]): string | undefined {
  const sorted = spans.toSorted((one, other) => one.from.localeCompare(other.from));
  for (const [index, { from, until }] of sorted.entries()) {
    if (from >= until) return `${from}–${until} must end later than it begins`;
    const next = sorted[index + 1];
    if (next && next.from < until) return `${from}–${until} runs into ${next.from}–${next.until}`;
  }
  return undefined;
}

/** "9:00–12:30, 14–18": the spans that somebody typed; undefined where it says something else. Empty: closed. */
export function readSpans(text: string): Span[] | undefined {
  if (text.trim() === '' || /^closed$/i.test(text.trim())) return [];
  const spans = text.split(/[,;]/).map((part) => {
    const [from, until, ...rest] = part.split(/\s*(?:-|–|—|to|until)\s*/i).map(readTime);
    return from !== undefined && until !== undefined && rest.length === 0 ? { from, until } : undefined;
  });
  return spans.every((span) => span !== undefined) ? spans : undefined;
}

export function writeSpans(spans: readonly Span[]): string {
  return spans.map(({ from, until }) => `${from}–${until}`).join(', ');
}

function readTime(text: string): string | undefined {
  const [, hour, minute = '00'] = /^(\d{1,2})(?:[:.](\d\d))?$/.exec(text.trim()) ?? [];
  if (hour === undefined || Number(minute) > 59) return undefined;
  const time = `${hour.padStart(2, '0')}:${minute}`;
  return time <= '24:00' ? time : undefined;
}

/** The name of an event. What nobody said leaves no gap behind. */
export function titleOf(
  template: string,
  given: { name: string | undefined; topic: string | undefined; phone: string | undefined },
): string {
  const known: Record<string, string | undefined> = given;
  const filled = template.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => oneLine(known[name] ?? ''));
  const tidy = filled
    .replace(/\s+/g, ' ')
    .replace(/^[\s–—:,|/-]+|[\s–—:,|/-]+$/g, '')
    .slice(0, CALENDAR_LIMITS.title)
    .toWellFormed();
  return tidy === '' ? 'Appointment' : tidy;
}

function oneLine(text: string): string {
  return text.replace(/\p{C}/gu, ' ').trim();
}
