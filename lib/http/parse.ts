import type { z } from 'zod';
import { type FieldProblem, validationError } from '#lib/errors.ts';
import { reasonOf } from './reasons.ts';

/**
 * Checks `value`, of at most `maxValues` values, against `schema`; throws 400 VALIDATION_ERROR that names the failing
 * fields.
 */
export function parseOrThrow<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  rootName: string,
  maxValues: number = MAX_VALUES,
): z.output<Schema> {
  const fault = findFault(value, rootName, maxValues);
  if (fault) throw validationError([fault]);
  const result = schema.safeParse(value, { error: reasonOf });
  if (result.success) return result.data;
  throw validationError(result.error.issues.flatMap((issue) => problemsOf(issue, rootName)));
}

function problemsOf(issue: z.core.$ZodIssue, rootName: string): FieldProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      field: [...issue.path, key].join('.'),
      reason: 'is not a known field',
    }));
  }
  const field = issue.path.length > 0 ? issue.path.join('.') : rootName;
  return [{ field, reason: lowerFirst(issue.message.replace(/^Invalid input: /, '')) }];
}

function lowerFirst(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}

const MAX_DEPTH = 64;
/** Hardly any operation takes nearly as many (`maxBodyValues`); checking each of a million would hold up everybody else. */
const MAX_VALUES = 5_000;

/**
 * What no schema needs to see: too many values, too deep, or text that PostgreSQL does not store (NUL characters and
 * unpaired surrogates would surface as a 500 from the driver). Looks at `maxValues` values at most.
 */
function findFault(value: unknown, rootName: string, maxValues: number): FieldProblem | undefined {
  const path: string[] = [];
  let seen = 0;

  function visit(node: unknown): FieldProblem | undefined {
    seen += 1;
    if (seen > maxValues) {
      return { field: rootName, reason: `has more than ${maxValues.toLocaleString('en-US')} values` };
    }
    if (typeof node === 'string') return isStorable(node) ? undefined : unstorable(path);
    if (typeof node !== 'object' || node === null) return undefined;
    if (path.length >= MAX_DEPTH)
      return { field: path.slice(0, 3).join('.'), reason: 'is nested too deeply' };
    for (const [key, child] of Object.entries(node)) {
      path.push(key);
      const fault = isStorable(key) ? visit(child) : unstorable(path);
      if (fault) return fault;
      path.pop();
    }
    return undefined;
  }

  return visit(value);
}

function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}

function unstorable(path: string[]): FieldProblem {
  const field = path.join('.').toWellFormed().replaceAll('\u0000', '\uFFFD') || 'body';
  return { field, reason: 'must be well-formed Unicode text without NUL characters' };
}
