import data from './zones-by-prefix.json' with { type: 'json' };

const LONGEST_PREFIX = Math.max(...Object.keys(data.prefixes).map((prefix) => prefix.length));
const prefixes: ReadonlyMap<string, number> = new Map(Object.entries(data.prefixes));

/**
 * The time zones (IANA) in which the holder of a number may be: by area code where it tells, else all of the country.
 * Empty for what is no number. A mobile number is taken to be where it was given out.
 *
 * @param number E.164
 */
export function zonesOfNumber(number: string): readonly string[] {
  const digits = number.replace(/^\+/, '');
  for (let length = Math.min(LONGEST_PREFIX, digits.length); length > 0; length -= 1) {
    const set = prefixes.get(digits.slice(0, length));
    if (set !== undefined) return data.sets[set] ?? [];
  }
  return [];
}
