import * as chrono from 'chrono-node';
import { toLocalTime } from '#lib/engine/zoned-time.ts';

/** What was said of a day and a time: `date` like 2026-03-24, `time` like 15:30, both wall-clock time of the business. */
export type SpokenMoment = { date: string | undefined; time: string | undefined };

const NUMBERS: Record<string, number> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  twenty: 20,
};
const MINUTES: Record<string, string> = {
  'oh five': '05',
  five: '05',
  ten: '10',
  fifteen: '15',
  twenty: '20',
  'twenty five': '25',
  'twenty-five': '25',
  thirty: '30',
  'thirty five': '35',
  'thirty-five': '35',
  forty: '40',
  'forty five': '45',
  'forty-five': '45',
  fifty: '50',
  'fifty five': '55',
  'fifty-five': '55',
};
const ORDINALS: Record<string, number> = {
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  sixth: 6,
  seventh: 7,
  eighth: 8,
  ninth: 9,
  tenth: 10,
  eleventh: 11,
  twelfth: 12,
  thirteenth: 13,
  fourteenth: 14,
  fifteenth: 15,
  sixteenth: 16,
  seventeenth: 17,
  eighteenth: 18,
  nineteenth: 19,
  twentieth: 20,
  'twenty-first': 21,
  'twenty first': 21,
  'twenty-second': 22,
  'twenty second': 22,
  'twenty-third': 23,
  'twenty third': 23,
  'twenty-fourth': 24,
  'twenty fourth': 24,
  'twenty-fifth': 25,
  'twenty fifth': 25,
  'twenty-sixth': 26,
  'twenty sixth': 26,
  'twenty-seventh': 27,
  'twenty seventh': 27,
  'twenty-eighth': 28,
  'twenty eighth': 28,
  'twenty-ninth': 29,
  'twenty ninth': 29,
  thirtieth: 30,
  'thirty-first': 31,
  'thirty first': 31,
};

const HOUR_WORDS = Object.keys(NUMBERS).slice(0, 12).join('|');
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
  const text = spellOut(utterance.toLowerCase());
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
    date = [start.get('year'), start.get('month'), start.get('day')]
      .map((part) => String(part).padStart(2, '0'))
      .join('-');
  }
  for (const { start } of found) {
    if (time === undefined && start.isCertain('hour')) {
      const hour = asBusinessHour(start.get('hour') ?? 0, start.isCertain('meridiem'));
      time = `${String(hour).padStart(2, '0')}:${String(start.get('minute') ?? 0).padStart(2, '0')}`;
    }
  }
  return date === undefined && time === undefined ? undefined : { date, time };
}

/** "Next week" and "in a month" name no day, though a day can be computed from them. */
function isVague(words: string): boolean {
  return /\b(?:weeks?|months?|years?|quarters?|weekend)\b/.test(words) && !/day\b/.test(words);
}

function asBusinessHour(hour: number, isCertain: boolean): number {
  return !isCertain && hour >= 1 && hour <= 6 ? hour + 12 : hour;
}

/** Numbers in words as digits, the way transcriptions of speech need it: "half past three" → "3:30". */
function spellOut(text: string): string {
  return text
    .replace(/\b([ap])\.?\s?m\b\.?/g, '$1m')
    .replace(/\bnoon\b|\bmidday\b/g, '12:00 pm')
    .replace(/\bo['’]?\s?clock\b/g, 'oclock')
    .replace(new RegExp(`\\bhalf past (${HOUR})\\b`, 'g'), (_, hour: string) => `at ${toHour(hour)}:30`)
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
      new RegExp(`\\b(at|around|about|by) (${HOUR_WORDS})\\b`, 'g'),
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
    .replace(/\bat at\b/g, 'at')
    .replace(/\bin the (morning|afternoon|evening)\b/g, 'in the $1');
}

function toHour(word: string): number {
  return NUMBERS[word] ?? Number(word);
}
