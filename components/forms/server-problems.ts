import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { ApiError } from '#lib/http/client.ts';

/** `must be at most 120 characters` → `Must be at most 120 characters`: the API's reasons are lower case, a form's are sentences. */
export function asSentence(reason: string): string {
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}

/** What a person is told about a failure that belongs to no field. */
export function describeFailure(error: unknown): string {
  if (error instanceof ApiError && error.status === 401)
    return 'You were signed out. Sign in and save again: nothing of what you wrote is lost.';
  if (error instanceof ApiError) return asSentence(error.message);
  return 'The service could not be reached. Check the connection and try again.';
}

/**
 * Puts the service's answer into the form: every problem beside the field it names, everything else at the top.
 * Focus goes to the first field that is wrong.
 */
export function showProblems<Values extends FieldValues>(
  form: UseFormReturn<Values, unknown, Values>,
  error: unknown,
  fields: ReadonlySet<string>,
): void {
  const problems = error instanceof ApiError ? error.problems : [];
  const ours = problems.filter((problem) => fields.has(rootOf(problem.field)));
  ours.forEach((problem, index) => {
    const path = problem.field as FieldPath<Values>;
    form.setError(
      path,
      { type: 'server', message: asSentence(problem.reason) },
      { shouldFocus: index === 0 },
    );
  });
  const elsewhere = problems.filter((problem) => !ours.includes(problem));
  if (ours.length > 0 && elsewhere.length === 0) return;
  const message =
    elsewhere.length > 0
      ? elsewhere.map((problem) => `${problem.field}: ${problem.reason}`).join('; ')
      : describeFailure(error);
  form.setError('root.server', { type: 'server', message: asSentence(message) });
}

/** The service's answer with its problems named as in a form of a part: `calendar.password` → `password`. */
export function withoutPrefix(error: unknown, prefix: string): unknown {
  if (!(error instanceof ApiError)) return error;
  const problems = error.problems.map(({ field, reason }) => ({
    field: field.startsWith(prefix) ? field.slice(prefix.length) : field,
    reason,
  }));
  return new ApiError(error.status, error.code, error.message, problems, error.current);
}

function rootOf(field: string): string {
  return field.split('.')[0] ?? field;
}
