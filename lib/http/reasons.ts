import type { z } from 'zod';

const list = new Intl.ListFormat('en', { type: 'disjunction' });

/**
 * Why a value is refused, in words a person can act on, where a schema has none of its own: for the API's problems and
 * for forms alike. Undefined leaves the validator's words.
 */
export function reasonOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'int') return 'must be a whole number';
      return Number.isNaN(issue.input) ? 'must be a number' : undefined;
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'must not be empty';
      return `must ${amount('least', issue.origin, issue.minimum)}`;
    case 'too_big':
      return `must ${amount('most', issue.origin, issue.maximum)}`;
    case 'invalid_value':
      return `must be ${list.format(issue.values.map(String))}`;
    case 'invalid_format':
      return issue.format === 'email' ? 'must be an e-mail address' : undefined;
    case 'custom':
    case 'invalid_element':
    case 'invalid_key':
    case 'invalid_union':
    case 'not_multiple_of':
    case 'unrecognized_keys':
      return undefined;
  }
}

function amount(which: 'least' | 'most', origin: string, bound: number | bigint): string {
  const figure = bound.toLocaleString('en-US');
  if (origin === 'string') return `be at ${which} ${figure} characters`;
  if (origin === 'array' || origin === 'set') return `have at ${which} ${figure} entries`;
  return `be at ${which} ${figure}`;
}
