import {
  findPhoneNumbersInText,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberCharacter,
  parsePhoneNumberFromString,
  type PhoneNumber,
} from 'libphonenumber-js/min';
import { countryName } from './countries.ts';

declare const e164Brand: unique symbol;

/** A phone number as carriers want it and calls store it (or what stands for one): `+`, the country code, the rest, digits only (ITU-T E.164). */
export type E164 = string & { readonly [e164Brand]: true };

/** What the API accepts as a number: contract, Limits, "Phone number pattern". */
export const PHONE_NUMBER_PATTERN = /^\+?1?\d{10,11}$/;

/** A number anywhere in the world with its country code: E.164 allows 15 digits, and no country code begins with 0. */
export const INTERNATIONAL_NUMBER_PATTERN = /^\+[1-9]\d{6,14}$/;

/** The same, also where its `+` is left out. */
export const WORLDWIDE_NUMBER_PATTERN = /^\+?[1-9]\d{6,14}$/;

/** Stands where a call has a number, for both sides of one that came over the web; no carrier ever sees it. */
export const WEB_CALLER = 'browser';

/** Stands for the number of a caller who withholds it. */
export const WITHHELD_NUMBER = 'anonymous';

/** Ten digits without `+` lack the country code 1; other digits without `+` begin with their country code. */
const WITHOUT_COUNTRY_CODE_DIGITS = 10;
/** How many places of a text are read in search of a number, and how far: 15 digits, grouped. */
const MAX_NUMBERS_READ = 50;
const MAX_NUMBER_CHARACTERS = 40;
/** Fewer digits could be any number. */
const MIN_SEARCHED_DIGITS = 3;
/** Zeros before a number are no part of it where it is a whole one; a part of one may begin with them. */
const MIN_WHOLE_DIGITS = 9;

/**
 * The E.164 form of a number that one of the patterns accepted. A number that the world's numbering plans know is written
 * as they write it (`+4402071838750` is `+442071838750`); any other keeps its digits, so that fictitious numbers such
 * as `+15550109900` stay as they are.
 */
export function parsePhoneNumber(text: string): E164 {
  const digits = digitsOf(text);
  const lacksCountryCode = !text.startsWith('+') && digits.length === WITHOUT_COUNTRY_CODE_DIGITS;
  const international = `+${lacksCountryCode ? '1' : ''}${digits}`;
  const known = parsePhoneNumberFromString(international);
  return (known?.isValid() ? known.number : international) as E164;
}

/** One side of a call: its number, or what stands where none is known. */
export type CallParty = E164 | typeof WEB_CALLER | typeof WITHHELD_NUMBER;

/** Reads a side of a call as it is stored. */
export function parseCallParty(text: string): CallParty {
  return text === WEB_CALLER || text === WITHHELD_NUMBER ? text : parsePhoneNumber(text);
}

/** The first number with its country code in a text, e.g. in "transfer to +1 555 010 0199"; null where there is none. */
export function findPhoneNumber(text: string): E164 | null {
  // The library reads only where a number may begin: 100,000 characters of such places would take it 400 ms.
  const starts = text.matchAll(/\+[ (]?\d/g).take(MAX_NUMBERS_READ);
  for (const { index } of starts) {
    // A possible number is enough (`extended`): fictitious ones are on no numbering plan.
    const [found] = findPhoneNumbersInText(text.slice(index, index + MAX_NUMBER_CHARACTERS), {
      extended: true,
    });
    if (found) return parsePhoneNumber(found.number.number);
  }
  return null;
}

/** A number grouped for reading, as its country writes it abroad: `+1 555 010 0001`, `+44 20 7183 8750`. */
export function formatPhoneNumber(number: string): string {
  if (!WORLDWIDE_NUMBER_PATTERN.test(number)) return number;
  return parsePhoneNumberFromString(parsePhoneNumber(number))?.formatInternational() ?? number;
}

/**
 * The digits to look for in stored numbers, where a text looks like (a part of) one, however it is grouped:
 * "+1 555 018-8801", "(018) 8801". null for other texts, and for too few digits to be one.
 */
export function searchedDigits(text: string): string | null {
  if (!/^[\d\s()+./-]+$/.test(text)) return null;
  const digits = digitsOf(text);
  if (digits.length < MIN_SEARCHED_DIGITS) return null;
  const known = text.trim().startsWith('+') ? parsePhoneNumberFromString(text) : undefined;
  if (known?.isValid()) return known.number.slice(1);
  // A whole number as its country writes it, which no stored one begins with.
  return digits.length < MIN_WHOLE_DIGITS ? digits : digits.replace(/^0+/, '');
}

/** Whether the API takes a number as it is written: by the contract's pattern, or as a valid one in international form. */
export function isTakenByApi(text: string): boolean {
  return PHONE_NUMBER_PATTERN.test(text) || isValidNumber(text);
}

/** Whether it is written in international form, and on the numbering plan of its country. */
export function isValidNumber(text: string): boolean {
  return INTERNATIONAL_NUMBER_PATTERN.test(text) && (parsePhoneNumberFromString(text)?.isValid() ?? false);
}

/** The country (ISO 3166-1) whose numbers are written without a country code, and whether nobody has said so. */
export type NumberCountry = { code: string; isGuessed: boolean };

/** `guess`: why the number may be another one than was meant, in a sentence; null where it says all that it has to. */
export type ReadNumber = { ok: true; number: E164; guess: string | null } | { ok: false; fault: string };

/** What spreadsheets and people put around a number: a mark for text, invisible marks of direction. */
const AROUND =
  /^['\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF\s]+|[\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF\s]+$/g;
const DASHES = /[\u2010-\u2015\u2212]/g;
const SHORTENED = /^\d(?:[.,]\d+)?E\+?\d+$/i;
const EXTENSION = /(?:ext\.?|extension|x|#|;ext=|durchwahl)\s*\d+\s*$/i;
/** Fifteen digits of a number behind a prefix of three. */
const MAX_DIGITS = 18;
/** 555 is no area code: nobody has these numbers, and simulated people do. */
const FICTITIOUS = /^\+1555\d{7}$/;
const NO_COUNTRY =
  'It has no country code. Write it with + and the country code, or choose the country in the workspace settings.';
/** The one country code that is also dialled within: a 1 before the area code. */
const NORTH_AMERICA = '1';
/** No country has shorter numbers. */
const SHORTEST_DIGITS = 4;
const WRONG_LENGTH = 'It has too few or too many digits for a phone number.';

/**
 * Reads a number however people write it: with blanks, brackets and dashes, with `00` for `+`, and without a country code
 * as one of `country`. What is not certain is read as well, with the reason: `12345` in Austria could be +43 1 2345.
 */
export function readPhoneNumber(given: string, country: NumberCountry | null): ReadNumber {
  const text = plainText(given);
  const fault = faultOf(text);
  if (fault !== null) return { ok: false, fault };
  const international = text.replace(/^[\s(]*00(?=[\s)]*[1-9])/, '+');
  return international.startsWith('+')
    ? readInternational(international)
    : readNational(international, country);
}

/** Digits of any script as 0 to 9, and nothing around them. */
function plainText(given: string): string {
  return given
    .normalize('NFKC')
    .replace(AROUND, '')
    .replace(/^tel:\s*/i, '')
    .replace(/^\(\+/, '+(')
    .replace(DASHES, '-')
    .replace(/\.0$/, '')
    .replace(/\p{Nd}/gu, (digit) => parsePhoneNumberCharacter(digit, '', () => undefined) ?? digit);
}

function faultOf(text: string): string | null {
  if (text === '') return 'There is no number.';
  if (SHORTENED.test(text))
    return 'A spreadsheet shortened the number; write its column as text and save the file again.';
  if (EXTENSION.test(text)) return 'It has an extension, which cannot be dialled.';
  if (/\p{L}/u.test(text)) return 'It has letters, so it is no phone number.';
  if (/[^\d\s()+./-]|.\+/.test(text)) return 'It has characters that no phone number has.';
  if (digitsOf(text).length > MAX_DIGITS) return 'It has more digits than a phone number.';
  return null;
}

function readInternational(text: string): ReadNumber {
  if (digitsOf(text).startsWith('0')) return { ok: false, fault: 'No country code begins with 0.' };
  const found = parsePhoneNumberFromString(text);
  if (!found?.isPossible() || !INTERNATIONAL_NUMBER_PATTERN.test(found.number))
    return { ok: false, fault: WRONG_LENGTH };
  if (found.isValid()) return certain(found.number);
  // Its own digits: of a number on no plan the library leaves some out.
  const number = `+${digitsOf(text)}`;
  return FICTITIOUS.test(number) ? certain(number) : guessed(number, 'It is on no numbering plan.');
}

function readNational(text: string, country: NumberCountry | null): ReadNumber {
  const digits = digitsOf(text);
  if (country === null || !isSupportedCountry(country.code)) return readWithoutCountry(digits);
  const name = countryName(country.code);
  const parsed = parsePhoneNumberFromString(text, country.code);
  const found = parsed && INTERNATIONAL_NUMBER_PATTERN.test(parsed.number) ? parsed : undefined;
  const isCallable = found !== undefined && (found.isValid() || FICTITIOUS.test(found.number));
  if (isCallable && isWhole(found, digits))
    return country.isGuessed
      ? guessed(found.number, `It has no country code; its country, ${name}, is a guess.`)
      : certain(found.number);
  const withCode = `+${digits}`;
  const hasOwnCode = digits.startsWith(getCountryCallingCode(country.code));
  if (isValidNumber(withCode) && (hasOwnCode || !isCallable))
    return guessed(withCode, 'It has no + before the country code.');
  if (isCallable) return guessed(found.number, incompleteReason(found, { digits, name }));
  if (found?.isPossible()) return guessed(found.number, 'It is on no numbering plan.');
  const fault =
    digits.length < SHORTEST_DIGITS
      ? WRONG_LENGTH
      : `It is no phone number of this country: ${name}. One of another country needs + and its country code.`;
  return { ok: false, fault };
}

/** As the API takes digits without `+`. What begins with 0 is of some country, and nobody knows of which. */
function readWithoutCountry(digits: string): ReadNumber {
  const number = WORLDWIDE_NUMBER_PATTERN.test(digits) ? parsePhoneNumber(digits) : undefined;
  return number !== undefined && parsePhoneNumberFromString(number)?.isPossible()
    ? guessed(number, 'It has no + and no country code.')
    : { ok: false, fault: NO_COUNTRY };
}

/** Whether nothing was left out: it had a prefix that is not dialled from abroad, or its country has none for such numbers. */
function isWhole(found: PhoneNumber, digits: string): boolean {
  const { nationalNumber, countryCallingCode } = found;
  if (digits === `${countryCallingCode}${nationalNumber}`) return countryCallingCode === NORTH_AMERICA;
  if (digits !== nationalNumber) return true;
  const written = found.format('NATIONAL', { nationalPrefix: false });
  // A number that is never grouped has no known way to be written.
  return written !== nationalNumber && digitsOf(written) === digits;
}

function incompleteReason(found: PhoneNumber, { digits, name }: { digits: string; name: string }): string {
  const written = found.formatNational();
  return digitsOf(written) === digits
    ? 'Its area code may be missing.'
    : `In this country, ${name}, it is written ${written}.`;
}

const digitsOf = (text: string) => text.replace(/\D/g, '');
const certain = (number: string): ReadNumber => ({ ok: true, number: number as E164, guess: null });
const guessed = (number: string, guess: string): ReadNumber => ({ ok: true, number: number as E164, guess });

/**
 * The country that most of these numbers are of; numbers that somebody has (fictitious ones are on no plan) come before
 * all others. undefined where they tell none.
 */
export function guessCountry(numbers: readonly string[]): string | undefined {
  const found = numbers.flatMap((number) => parsePhoneNumberFromString(number) ?? []);
  const assigned = found.filter((number) => number.isValid());
  const counts = new Map<string, number>();
  for (const number of assigned.length > 0 ? assigned : found) {
    const code = number.country ?? number.getPossibleCountries()[0];
    if (code !== undefined) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}
