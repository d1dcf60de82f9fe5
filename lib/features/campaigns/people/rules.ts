import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { type E164, parsePhoneNumber, WORLDWIDE_NUMBER_PATTERN } from '#lib/phone-number.ts';
import { CAMPAIGN_LIMITS, type PersonState } from '../rules.ts';

/** A line of a list as it came. */
export type GivenPerson = {
  line: number;
  number: string;
  variables: Record<string, string>;
  /** What is wrong with the line already. */
  problem?: string | undefined;
};

/** A line with what the check found. */
export type CheckedPerson = {
  line: number;
  givenNumber: string;
  number: E164 | null;
  variables: Record<string, string>;
  state: Extract<PersonState, 'pending' | 'faulty' | 'duplicate' | 'opted_out'>;
  fault: string | null;
  faultColumn: string | null;
};

export type ReadNumber = { ok: true; number: E164 } | { ok: false; fault: string };

/** The country code of the number that calls: what numbers without one are taken to have. */
export function callingCodeOf(number: string): string | undefined {
  return parsePhoneNumberFromString(number)?.countryCallingCode;
}

/** What spreadsheets and people put around a number: a mark for text, invisible marks of direction, `tel:`. */
const AROUND =
  /^['\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF\s]+|[\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF\s]+$/g;
const DASHES = /[\u2010-\u2015\u2212]/g;
const SHORTENED = /^\d(?:[.,]\d+)?E\+?\d+$/i;
const EXTENSION = /(?:ext\.?|extension|x|#|;ext=|durchwahl)\s*\d+\s*$/i;

/**
 * A number however it is written, in E.164; one without a country code has `callingCode`. A number on no numbering plan is
 * taken where its length can be right: fictitious numbers are.
 */
export function readNumber(given: string, callingCode: string | undefined): ReadNumber {
  const text = given.replace(AROUND, '').replace(/^tel:/i, '').replace(DASHES, '-').replace(/\.0$/, '');
  const refuse = (fault: string): ReadNumber => ({ ok: false, fault });
  if (text === '') return refuse('There is no number.');
  if (SHORTENED.test(text))
    return refuse('A spreadsheet shortened the number; write its column as text and save the file again.');
  if (EXTENSION.test(text)) return refuse('It has an extension, which cannot be dialled.');
  if (/\p{L}/u.test(text)) return refuse('It has letters, so it is no phone number.');
  if (/[^\d\s()+./\-\u00A0]/.test(text)) return refuse('It has characters that no phone number has.');
  if ((text.match(/\d/g) ?? []).length > 18) return refuse('It has more digits than a phone number.');
  const international = text.replace(/^[\s(]*00(?=[\s)]*[1-9])/, '+');
  const parsed = parsePhoneNumberFromString(
    international,
    callingCode === undefined ? {} : { defaultCallingCode: callingCode },
  );
  if (!parsed && callingCode === undefined && !international.startsWith('+'))
    return refuse('It has no country code.');
  if (!parsed?.isPossible() || !WORLDWIDE_NUMBER_PATTERN.test(parsed.number))
    return refuse('It has too few or too many digits for a phone number.');
  return { ok: true, number: parsePhoneNumber(parsed.number) };
}

export type CheckContext = {
  from: string;
  callingCode: string | undefined;
  /** What the column of the number is called. */
  numberColumn: string;
  /** The variables without which the opening cannot be said. */
  missingFor: (variables: Record<string, string>) => string[];
  /** What a variable's column is called. */
  columnOf: (variable: string) => string;
};

export const VARIABLE_LIMITS = { count: 200, name: 200, value: 10_000 } as const;

/** Everything about a line that can be told without the other lines and without the database. */
export function checkPerson(given: GivenPerson, context: CheckContext): CheckedPerson {
  const shortened = given.number.slice(0, CAMPAIGN_LIMITS.givenNumber);
  const base = { line: given.line, givenNumber: shortened, variables: given.variables };
  const faulty = (fault: string, faultColumn: string | null): CheckedPerson => ({
    ...base,
    number: null,
    variables: bounded(given.variables),
    state: 'faulty',
    fault,
    faultColumn,
  });
  if (given.problem !== undefined) return faulty(given.problem, null);
  const read = readNumber(given.number, context.callingCode);
  if (!read.ok) return faulty(read.fault, context.numberColumn);
  if (read.number === context.from) return faulty('It is the number that calls.', context.numberColumn);
  const wrong = wrongVariable(given.variables);
  if (wrong) return faulty(wrong.fault, context.columnOf(wrong.name));
  const [missing] = context.missingFor(given.variables);
  if (missing !== undefined)
    return faulty(`The opening cannot be said without {{${missing}}}.`, context.columnOf(missing));
  return { ...base, number: read.number, state: 'pending', fault: null, faultColumn: null };
}

function wrongVariable(variables: Record<string, string>): { name: string; fault: string } | undefined {
  const entries = Object.entries(variables);
  if (entries.length > VARIABLE_LIMITS.count)
    return { name: '', fault: `There are more than ${VARIABLE_LIMITS.count} variables.` };
  const long = entries.find(([, value]) => value.length > VARIABLE_LIMITS.value);
  return long && { name: long[0], fault: 'The text has more than 10,000 characters.' };
}

/** What of a faulty line is kept to be shown. */
function bounded(variables: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables)
      .slice(0, VARIABLE_LIMITS.count)
      .map(([name, value]) => [name, value.slice(0, 200).toWellFormed()]),
  );
}

/** The later ones of lines with one number are not called: the first counts that can be. */
export function markDuplicates(people: CheckedPerson[], seen: Map<string, number>): CheckedPerson[] {
  return people.map((person) => {
    if (person.number === null || person.state !== 'pending') return person;
    const first = seen.get(person.number);
    if (first === undefined) {
      seen.set(person.number, person.line);
      return person;
    }
    return { ...person, state: 'duplicate', fault: `The same number stands in line ${first}.` };
  });
}

export const OPTED_OUT_FAULT = 'The person asked not to be called again.';
