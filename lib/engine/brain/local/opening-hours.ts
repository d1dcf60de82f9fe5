import type { Passage } from './passages.ts';
import { spellOutTimes } from './spoken-moment.ts';

/** From and until, in minutes after midnight. */
type Span = { from: number; until: number };
/** What a sentence says of some days; `isEarly`: only that they end earlier than it said before. */
type DaySpan = { days: number[]; span: Span | undefined; isEarly?: boolean };
/** What is open on each day, 0 = Sunday; a day without spans is closed. */
export type OpeningHours = readonly (readonly Span[])[];

const DAY = String.raw`(?:sun|mon|tue|wed|thu|fri|sat)[a-z]*\.?`;
const TIME = String.raw`(?:\d{1,2}(?:[:.]\d\d)?\s*(?:am|pm)?|noon|midnight)`;
const TOKEN = new RegExp(
  String.raw`(?<between>\b${DAY}\s*(?:to|through|thru|until|till|-|–)\s*${DAY})|(?<every>\b(?:daily|every day|seven days a week|all week)\b)|(?<weekdays>\bweekdays\b)|(?<weekend>\bweekends?\b)|(?<day>\b${DAY}\b)|(?<always>\b(?:24 hours|around the clock)\b)|(?<closed>\bclosed\b)|(?<early>\b(?:only |just )?(?:until|till)\s+(?:${TIME})(?![\d%]))|(?<span>\b${TIME}\s*(?:to|until|till|and|-|–)\s*${TIME}(?![\d%]))`,
  'gi',
);
const OPEN = /\b(?:open(?:ing|s|ed)?|hours|closed|staffed|clos(?:es|ing))\b/i;
/** What is said of these is no time at which everybody may come. */
const EXCEPTION =
  /\b(?:emergenc|urgent|night|holiday|evening|first \w+day|on call|lessons?|class(?:es)?|courses?|kitchen|breakfast|lunch|pool|sauna|bar)/i;
export const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
const MINUTES_A_DAY = 24 * 60;

/**
 * The opening hours that texts state; undefined where none says them for three days or more. Days that are not
 * mentioned are closed.
 */
export function readOpeningHours(passages: readonly Passage[]): OpeningHours | undefined {
  const spans: Span[][] = DAYS.map(() => []);
  const mentioned = new Set<number>();
  for (const passage of passages) {
    const parts = [passage.text, ...passage.path];
    if (!parts.some((part) => OPEN.test(part)) || parts.some((part) => EXCEPTION.test(part))) continue;
    for (const { days, span, isEarly } of readSentence(spellOutTimes(passage.text.toLowerCase()))) {
      for (const day of days) {
        mentioned.add(day);
        if (span && isEarly) spans[day] = (spans[day] ?? []).map(({ from }) => ({ from, until: span.until }));
        else if (span) spans[day]?.push(span);
      }
    }
  }
  return mentioned.size >= 3 && spans.some((day) => day.length > 0) ? spans : undefined;
}

/** 0 = Sunday, from the first letters of its name. */
function dayNumber(name: string): number {
  return DAYS.findIndex((day) => day.startsWith(name.toLowerCase().slice(0, 3)));
}

/** Days and what is open on them, in the order in which a sentence says them. */
function readSentence(sentence: string): DaySpan[] {
  const found: DaySpan[] = [];
  let days: number[] = [];
  let waiting: Span[] = [];
  let isClosed = false;
  let isUsed = false;
  for (const { groups = {} } of sentence.matchAll(TOKEN)) {
    const named = daysOf(groups);
    if (named) {
      if (isUsed) days = [];
      isUsed = false;
      days = [...days, ...named];
      if (isClosed) found.push({ days: named, span: undefined });
      for (const span of waiting) found.push({ days: named, span });
      continue;
    }
    if (groups['early'] && days.length > 0) {
      found.push({ days, span: readSpan(`0:00 to ${groups['early']}`), isEarly: true });
      isUsed = true;
      continue;
    }
    const span = groups['always'] ? { from: 0, until: MINUTES_A_DAY } : readSpan(groups['span']);
    if (days.length === 0) {
      if (groups['closed']) isClosed = true;
      else if (span) waiting.push(span);
      continue;
    }
    // "Closed on Sunday" names the day afterwards, "Sunday: closed" before.
    if (groups['closed'] && isUsed) [isClosed, days] = [true, []];
    else if (groups['closed']) found.push({ days, span: undefined });
    else if (span) found.push({ days, span });
    isUsed = true;
  }
  return found;
}

function daysOf(groups: Record<string, string | undefined>): number[] | undefined {
  if (groups['every']) return [0, 1, 2, 3, 4, 5, 6];
  if (groups['weekdays']) return [1, 2, 3, 4, 5];
  if (groups['weekend']) return [6, 0];
  if (groups['day']) return [dayNumber(groups['day'])];
  if (!groups['between']) return undefined;
  const names = groups['between'].match(new RegExp(DAY, 'gi')) ?? [];
  const [first, last] = [dayNumber(names[0] ?? ''), dayNumber(names[1] ?? '')];
  return Array.from({ length: ((last - first + 7) % 7) + 1 }, (_, index) => (first + index) % 7);
}

function readSpan(text: string | undefined): Span | undefined {
  const [first, last] = (text ?? '').match(new RegExp(TIME, 'gi')) ?? [];
  if (first === undefined || last === undefined) return undefined;
  const until = readTime(last, undefined);
  const from = readTime(first, /[ap]m/i.test(first) ? undefined : until);
  // "9 to 5": the second hour is the later one.
  const end =
    until.minutes <= from.minutes && !until.isCertain ? until.minutes + MINUTES_A_DAY / 2 : until.minutes;
  return { from: from.minutes, until: end <= from.minutes ? MINUTES_A_DAY : end };
}

function readTime(
  text: string,
  until: { minutes: number } | undefined,
): { minutes: number; isCertain: boolean } {
  if (/noon/i.test(text)) return { minutes: MINUTES_A_DAY / 2, isCertain: true };
  if (/midnight/i.test(text)) return { minutes: until ? 0 : MINUTES_A_DAY, isCertain: true };
  const [, hour = '0', minute = '0'] = text.match(/(\d{1,2})(?:[:.](\d\d))?/) ?? [];
  const half = text.match(/[ap]m/i)?.[0]?.toLowerCase();
  const plain = Number(hour) * 60 + Number(minute);
  if (half)
    return {
      minutes: (plain % (MINUTES_A_DAY / 2)) + (half === 'pm' ? MINUTES_A_DAY / 2 : 0),
      isCertain: true,
    };
  // "5 to 11 pm" begins in the afternoon, "9 to 5 pm" does not.
  const afternoon = plain + MINUTES_A_DAY / 2;
  const isAfternoon = until !== undefined && Number(hour) < 7 && afternoon < until.minutes;
  return { minutes: isAfternoon ? afternoon : plain, isCertain: Number(hour) > 12 };
}

/** Whether there is anybody on `date` (2026-03-24) at `time` (15:30). */
export function isOpenAt(hours: OpeningHours, date: string, time: string): boolean {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const at = hour * 60 + minute;
  return spansOn(hours, date).some(({ from, until }) => from <= at && at < until);
}

export function spansOn(hours: OpeningHours, date: string): readonly Span[] {
  return hours[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? [];
}

/** "We are open Monday to Thursday from 8 AM to 6 PM and Friday from 8 AM to 2 PM." Of some `days` only, where they are given. */
export function speakOpeningHours(hours: OpeningHours, days?: readonly number[]): string {
  const week = [1, 2, 3, 4, 5, 6, 0].filter((day) => !days || days.includes(day));
  const runs: { first: number; last: number; spoken: string }[] = [];
  for (const day of week) {
    const spoken = (hours[day] ?? []).map(speakSpan).join(' and ');
    const run = runs.at(-1);
    if (run?.spoken === spoken && (run.last + 1) % 7 === day) run.last = day;
    else runs.push({ first: day, last: day, spoken });
  }
  const open = runs.filter(({ spoken }) => spoken !== '');
  const closed = runs.filter(({ spoken }) => spoken === '').map(({ first, last }) => speakDays(first, last));
  if (open.length === 0) return `We are closed on ${joinWords(closed)}.`;
  const opening = `We are open ${joinWords(open.map(({ first, last, spoken }) => `${speakDays(first, last)} ${spoken}`))}.`;
  return closed.length === 0 ? opening : `${opening} We are closed on ${joinWords(closed)}.`;
}

function speakDays(first: number, last: number): string {
  const name = (day: number) => (DAYS[day] ?? '').replace(/^./, (letter) => letter.toUpperCase());
  if (first === last) return name(first);
  return `${name(first)} ${(last - first + 7) % 7 === 1 ? 'and' : 'to'} ${name(last)}`;
}

function speakSpan({ from, until }: Span): string {
  return until - from >= MINUTES_A_DAY
    ? 'around the clock'
    : `from ${speakTime(from)} to ${speakTime(until)}`;
}

/** `15:30`: 3:30 PM. */
export function speakClock(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return speakTime(hour * 60 + minute);
}

function speakTime(minutes: number): string {
  if (minutes % MINUTES_A_DAY === 0) return 'midnight';
  if (minutes === MINUTES_A_DAY / 2) return 'noon';
  const [hour, minute] = [Math.floor(minutes / 60) % 24, minutes % 60];
  return `${hour % 12 === 0 ? 12 : hour % 12}${minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`} ${hour < 12 ? 'AM' : 'PM'}`;
}

function joinWords(parts: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(parts);
}
