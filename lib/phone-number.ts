import { findPhoneNumbersInText, parsePhoneNumberFromString } from 'libphonenumber-js/min';

declare const e164Brand: unique symbol;

/** A phone number as carriers want it and calls store it (or what stands for one): `+`, the country code, the rest, digits only (ITU-T E.164). */
export type E164 = string & { readonly [e164Brand]: true };

/** What the API accepts as a number: contract, Limits, "Phone number pattern". */
export const PHONE_NUMBER_PATTERN = /^\+?1?\d{10,11}$/;

/** The same with its `+`. */
export const INTERNATIONAL_NUMBER_PATTERN = /^\+1?\d{10,11}$/;

/** A number anywhere in the world: E.164 allows 15 digits. */
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

/**
 * The E.164 form of a number that one of the patterns accepted. A number that the world's numbering plans know is written
 * as they write it (`+4402071838750` is `+442071838750`); any other keeps its digits, so that fictitious numbers such
 * as `+15550109900` stay as they are.
 */
export function parsePhoneNumber(text: string): E164 {
  const digits = text.replace(/\D/g, '');
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
  const digits = text.replace(/\D/g, '');
  if (digits.length < MIN_SEARCHED_DIGITS) return null;
  const known = text.trim().startsWith('+') ? parsePhoneNumberFromString(text) : undefined;
  return known?.isValid() ? known.number.slice(1) : digits;
}
