import { type E164, type NumberCountry, readPhoneNumber } from '#lib/phone-number.ts';
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
  state: Extract<PersonState, 'pending' | 'faulty' | 'duplicate' | 'guess' | 'opted_out'>;
  fault: string | null;
  faultColumn: string | null;
};

export type CheckContext = {
  from: string;
  country: NumberCountry | null;
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
  const read = readPhoneNumber(given.number, context.country);
  if (!read.ok) return faulty(read.fault, context.numberColumn);
  if (read.number === context.from) return faulty('It is the number that calls.', context.numberColumn);
  const wrong = wrongVariable(given.variables);
  if (wrong) return faulty(wrong.fault, context.columnOf(wrong.name));
  const [missing] = context.missingFor(given.variables);
  if (missing !== undefined)
    return faulty(`The opening cannot be said without {{${missing}}}.`, context.columnOf(missing));
  const { number, guess } = read;
  return guess === null
    ? { ...base, number, state: 'pending', fault: null, faultColumn: null }
    : { ...base, number, state: 'guess', fault: guess, faultColumn: context.numberColumn };
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
