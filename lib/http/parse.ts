import type { z } from 'zod';
import { type FieldProblem, validationError } from '#lib/errors.ts';

/** Checks `value` against `schema`; throws 400 VALIDATION_ERROR that names every failing field. */
export function parseOrThrow<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  rootName: string,
): z.output<Schema> {
  const unstorable = findUnstorableText(value, []);
  if (unstorable) throw validationError([unstorable]);
  const result = schema.safeParse(value, {
    error: (issue) => (issue.input === undefined ? 'is required' : undefined),
  });
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

/** PostgreSQL stores neither NUL characters nor unpaired surrogates; both would surface as a 500 from the driver. */
function findUnstorableText(value: unknown, path: string[]): FieldProblem | undefined {
  if (typeof value === 'string') return unstorableReason(value, path);
  if (typeof value !== 'object' || value === null) return undefined;
  if (path.length > MAX_DEPTH) return { field: path.slice(0, 3).join('.'), reason: 'is nested too deeply' };
  for (const [key, child] of Object.entries(value)) {
    const problem = unstorableReason(key, [...path, key]) ?? findUnstorableText(child, [...path, key]);
    if (problem) return problem;
  }
  return undefined;
}

function unstorableReason(value: string, path: string[]): FieldProblem | undefined {
  if (!value.includes('\u0000') && value.isWellFormed()) return undefined;
  const field = path.join('.').toWellFormed().replaceAll('\u0000', '\uFFFD') || 'body';
  return { field, reason: 'must be well-formed Unicode text without NUL characters' };
}
