import * as chrono from 'chrono-node/en';
import { toLocalTime } from '#lib/engine/zoned-time.ts';
import table from './data/numbers.json' with { type: 'json' };

/** What was said of a day and a time: `date` like 2026-03-24, `time` like 15:30, both wall-clock time of the business. */
export type SpokenMoment = { date: string | undefined; time: string | undefined };

const NUMBERS: Record<string, number> = table.hours;
const MINUTES: Record<string, string> = table.minutes;
/** "Twenty-first" is written in both ways. */
const ORDINALS: Record<string, number> = Object.fromEntries(
  Object.entries(table.ordinals).flatMap(([word, day]) => [
    [word, day],
    [word.replace(' ', '-'), day],
  ]),
);

const HOUR_WORDS = Object.keys(NUMBERS).join('|');
const HOUR = `(?:${HOUR_WORDS}|1[0-2]|0?[1-9])`;
const MINUTE_WORDS = Object.keys(MINUTES)
  .toSorted((one, other) => other.length - one.length)
  .join('|');
const ORDINAL_WORDS = Object.keys(ORDINALS)
  .toSorted((one, other) => other.length - one.length)
  .join('|');
const MONTHS = 'january|february|march|april|may|june|july|august|september|october|november|december';

/**
 * The day and time in what a person said ("next Tuesday at half past three", "March 3rd, 14:00"), as far as they were
 * said; undefined where neither was. A day lies in the future. An hour without am or pm is taken for business hours.
 */
export function findSpokenMoment(utterance: string, now: Date, timeZone: string): SpokenMoment | undefined {
  const text = spellOutTimes(utterance.toLowerCase());
  // Chrono counts in the wall-clock time of the business, told to it as if it were UTC.
  const reference = { instant: new Date(`${toLocalTime(now, timeZone)}:00.000Z`), timezone: 0 };
  // "Hold on a second" and "I am busy right now" name no moment.
  const found = chrono
    .parse(text, reference, { forwardDate: true })
    .filter((result) => !/\bseconds?\b|\bnow\b|\bmoment\b/.test(result.text));
  let date: string | undefined;
  let time: string | undefined;
  // "Wednesday the 11th of March" is found as a weekday and as a date: the date says more.
  const dated =
    found.find(({ start, text: words }) => start.isCertain('day') && !isVague(words)) ??
    found.find(({ start }) => start.isCertain('weekday'));
  if (dated) {
    const { start } = dated;
    const day = Date.UTC(start.get('year') ?? 0, (start.get('month') ?? 1) - 1, start.get('day') ?? 1);
    date = new Date(day + weeksLater(dated, text, reference.instant) * WEEK_MS).toISOString().slice(0, 10);
  }
  // "I finish at three, so half three say": what corrects comes last.
  const inTime = CORRECTS.test(text) ? found.toReversed() : found;
  for (const { start } of inTime) {
    if (time === undefined && start.isCertain('hour')) {
      const hour = asBusinessHour(start.get('hour') ?? 0, start.isCertain('meridiem'));
      time = `${String(hour).padStart(2, '0')}:${String(start.get('minute') ?? 0).padStart(2, '0')}`;
    }
  }
  return date === undefined && time === undefined ? undefined : { date, time };
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
const CORRECTS = /\b(?:say|actually|sorry|make it|or rather|no)\b/;

/** "Monday" said on a Monday is the next one; "monday week" one later. */
function weeksLater({ start, text: words }: chrono.ParsedResult, text: string, now: Date): number {
  const isToday = start.get('day') === now.getUTCDate() && start.get('month') === now.getUTCMonth() + 1;
  const isNext =
    isToday && start.isCertain('weekday') && !start.isCertain('day') && !/\btoday|this\b/.test(text);
  const isWeekLater = new RegExp(
    `\\b(?:${words.match(/\w+day/)?.[0] ?? 'none'} week|a week (?:on )?${words.match(/\w+day/)?.[0] ?? 'none'})\\b`,
  ).test(text);
  return (isNext ? 1 : 0) + (isWeekLater ? 1 : 0);
}

const VAGUE =
  /\b(?:later (?:today|this \w+|on)|(?:some ?time |any ?time )?(?:next|this) (?:week|month|year|weekend)|after (?:lunch|work|the weekend|the holidays)|another (?:time|day)|later)\b/i;

/** When somebody wants to be called, in their own words: "next week", "tomorrow morning", "later". */
export function findVagueTime(utterance: string): string | undefined {
  const [named] = chrono
    .parse(utterance)
    .filter(({ text }) => !/\bnow\b|\bseconds?\b|\bmoment\b|\byesterday\b|\bago\b|\blast\b/i.test(text));
  const words = utterance.match(VAGUE)?.[0] ?? named?.text;
  return words
    ?.toLowerCase()
    .replace(
      /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/g,
      (day) => day.charAt(0).toUpperCase() + day.slice(1),
    );
}

/** "Next week" and "in a month" name no day, though a day can be computed from them. */
function isVague(words: string): boolean {
  return /\b(?:weeks?|months?|years?|quarters?|weekend)\b/.test(words) && !/day\b/.test(words);
}

function asBusinessHour(hour: number, isCertain: boolean): number {
  return !isCertain && hour >= 1 && hour <= 6 ? hour + 12 : hour;
}

/** Numbers in words as digits, the way transcriptions of speech need it: "half past three" → "3:30". */
export function spellOutTimes(text: string): string {
  return text
    .replace(/\b([ap])\.?\s?m\b\.?/g, '$1m')
    .replace(/\bnoon\b|\bmidday\b/g, '12:00 pm')
    .replace(/\bo['’]?\s?clock\b/g, 'oclock')
    .replace(new RegExp(`\\bhalf past (${HOUR})\\b`, 'g'), (_, hour: string) => `at ${toHour(hour)}:30`)
    .replace(new RegExp(`\\bhalf (${HOUR})\\b`, 'g'), (_, hour: string) => `at ${toHour(hour)}:30`)
    .replace(
      new RegExp(`\\b(?:a )?quarter past (${HOUR})\\b`, 'g'),
      (_, hour: string) => `at ${toHour(hour)}:15`,
    )
    .replace(
      new RegExp(`\\b(?:a )?quarter to (${HOUR})\\b`, 'g'),
      (_, hour: string) => `at ${((toHour(hour) + 10) % 12) + 1}:45`,
    )
    .replace(
      new RegExp(`\\b(${HOUR_WORDS}) (${MINUTE_WORDS})\\b`, 'g'),
      (_, hour: string, minute: string) => `at ${toHour(hour)}:${MINUTES[minute]}`,
    )
    .replace(new RegExp(`\\b(${HOUR}) oclock\\b`, 'g'), (_, hour: string) => `at ${toHour(hour)}:00`)
    .replace(
      new RegExp(`\\b(${HOUR_WORDS}) ?(am|pm)\\b`, 'g'),
      (_, hour: string, half: string) => `${toHour(hour)} ${half}`,
    )
    .replace(
      new RegExp(`\\b(at|around|about|by|make it) (${HOUR_WORDS})\\b`, 'g'),
      (_, word: string, hour: string) => `${word} ${toHour(hour)}:00`,
    )
    .replace(
      new RegExp(`\\bthe (${ORDINAL_WORDS}) of (${MONTHS})\\b`, 'g'),
      (_, day: string, month: string) => `${month} ${ORDINALS[day]}`,
    )
    .replace(
      new RegExp(`\\b(${MONTHS}) (?:the )?(${ORDINAL_WORDS})\\b`, 'g'),
      (_, month: string, day: string) => `${month} ${ORDINALS[day]}`,
    )
    .replace(
      new RegExp(
        `\\b(from|between|to|until|till|and) (${HOUR_WORDS})\\b(?= (?:to|until|till|and|in)\\b|[.,;]|$)`,
        'g',
      ),
      (_, word: string, hour: string) => `${word} ${toHour(hour)}`,
    )
    .replace(/\bat at\b/g, 'at')
    .replace(/\b(\d{1,2}(?::\d\d)?) in the (?:afternoon|evening)\b/g, '$1 pm')
    .replace(/\b(\d{1,2}(?::\d\d)?) in the morning\b/g, '$1 am');
}

function toHour(word: string): number {
  return NUMBERS[word] ?? Number(word);
}
