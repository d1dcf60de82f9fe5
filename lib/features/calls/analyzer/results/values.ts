import * as chrono from 'chrono-node/en';
import { findSpokenMoment } from '#lib/engine/brain/local/spoken-moment.ts';
import { toLocalTime } from '#lib/engine/zoned-time.ts';
import {
  isDate,
  RESULT_LIMITS,
  type ResultField,
  type ResultValue,
} from '#lib/features/agents/results/rules.ts';
import { normalized, saysNo, saysYes } from '../acts.ts';
import { numbersIn } from './numbers.ts';

/** When and where the conversation was: "next Tuesday" is counted from there. */
export type Place = { at: Date; timeZone: string };

/** The value of the field's type that a model wrote; undefined where it is none. */
export function readClaimed(field: ResultField, claimed: string): ResultValue | undefined {
  const text = printable(claimed);
  if (text === '') return undefined;
  if (field.type === 'text') return text;
  if (field.type === 'number') return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
  if (field.type === 'date') return isDate(text) ? text : undefined;
  if (field.type === 'yes_no') return { yes: true, true: true, no: false, false: false }[text.toLowerCase()];
  return field.choices.find((choice) => choice.toLowerCase() === text.toLowerCase());
}

/** At most so much of a text, without what is not seen: the database keeps no null characters and no halves of pairs. */
export function printable(text: string, most: number = RESULT_LIMITS.text): string {
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, most)
    .toWellFormed();
}

/** The one value of the field's type that words give by themselves; undefined for none, and for several. */
export function valueIn(field: ResultField, words: string, place: Place): ResultValue | undefined {
  if (field.type === 'number') return only(numbersIn(words).map(({ value }) => value));
  if (field.type === 'date') return only(datesIn(field, words, place));
  if (field.type === 'yes_no') return saysYes(words) ? true : saysNo(words) ? false : undefined;
  if (field.type === 'choice') return only(choicesIn(field, words));
  return undefined;
}

function only<Value>(values: readonly Value[]): Value | undefined {
  const distinct = new Set(values);
  return distinct.size === 1 ? values[0] : undefined;
}

/** The choices that words name, those under a "not" left out. The longest one of those that lie in one another counts. */
export function choicesIn(field: ResultField, words: string): string[] {
  const plain = ` ${lettersOf(words)} `;
  const named = field.choices.filter((choice) => {
    const wanted = ` ${lettersOf(choice)} `;
    const at = plain.indexOf(wanted);
    return (
      wanted.trim() !== '' &&
      at >= 0 &&
      !/\b(?:not|no|never|don t|instead of|than)(?: \w+){0,3}$/.test(plain.slice(0, at))
    );
  });
  return named.filter(
    (choice) =>
      !named.some((other) => other !== choice && ` ${lettersOf(other)} `.includes(` ${lettersOf(choice)} `)),
  );
}

const LOOKS_BACK =
  /\b(?:did|was|were|had|has|have|since|last|born|birth|birthday|bought|purchased|previous|ago|began|started|happened)\b/i;

/** The days that words name, like 2026-03-24. A question that looks back has days before the conversation. */
export function datesIn({ question }: Pick<ResultField, 'question'>, words: string, place: Place): string[] {
  if (!LOOKS_BACK.test(question)) {
    const days = parsedDays(words, place, true);
    // Where several days are said, nothing tells which one is meant.
    if (days.length !== 1) return days;
    return [findSpokenMoment(words, place.at, place.timeZone)?.date ?? days[0] ?? ''];
  }
  return parsedDays(words, place, false);
}

function parsedDays(words: string, place: Place, forwardDate: boolean): string[] {
  const now = toLocalTime(place.at, place.timeZone);
  const reference = { instant: new Date(`${now}:00.000Z`), timezone: 0 };
  const days = chrono.parse(words, reference, { forwardDate }).flatMap(({ start, text }) => {
    const isDay = start.isCertain('day') || start.isCertain('weekday');
    // "A day off" and "two days late" say how long, and not when.
    const isLength = /^(?:an?|one|two|three|four|five|six|\d+) (?:day|week|month|year)s?$/i.test(text.trim());
    if (!isDay || isLength || /\b(?:now|seconds?|moment|minutes?|hours?)\b/i.test(text)) return [];
    const year = start.get('year') ?? 0;
    const day = dayOf(year, start.get('month') ?? 1, start.get('day') ?? 1);
    const isLater = !forwardDate && !start.isCertain('year') && day > now.slice(0, 10);
    return [
      isLater && !start.isCertain('weekday')
        ? dayOf(year - 1, start.get('month') ?? 1, start.get('day') ?? 1)
        : day,
    ];
  });
  return [...new Set(days)];
}

function dayOf(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}

/** Letters and digits alone: what is left where two ways of writing the same words differ. */
export function lettersOf(text: string): string {
  return normalized(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
