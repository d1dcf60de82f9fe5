import type { PromptPreview } from '#lib/features/prompts/preview/contract.ts';

type Variable = Pick<PromptPreview['variables'][number], 'name' | 'isNumber'>;

const EXAMPLES: readonly (readonly [RegExp, string])[] = [
  [/time|hour/i, '10:30'],
  [/date|day/i, 'Tuesday'],
  [/phone|number/i, '+1 555 010 0001'],
  [/e-?mail/i, 'alex@example.com'],
  [/company|business|practice/i, 'Harbor Dental'],
  [/doctor|dentist/i, 'Dr. Rivera'],
  [/name|customer|patient|caller|contact/i, 'Alex'],
  [/city|town|place|location/i, 'Springfield'],
  [/amount|price|total|balance|cost/i, '120 dollars'],
];

/** Something to begin a preview with, so that it reads like a call; a person types over it. */
export function exampleValue(variable: Variable): string {
  if (variable.isNumber) return '3';
  return (
    EXAMPLES.find(([pattern]) => pattern.test(variable.name))?.[1] ?? variable.name.replaceAll(/[_-]+/g, ' ')
  );
}

/** The values with an example for every variable that was not seen before; what was emptied by hand stays empty. */
export function withExamples(
  values: Record<string, string>,
  variables: readonly Variable[],
  seen: ReadonlySet<string>,
): Record<string, string> | undefined {
  const fresh = variables.filter((variable) => !seen.has(variable.name) && !(variable.name in values));
  if (fresh.length === 0) return undefined;
  return {
    ...values,
    ...Object.fromEntries(fresh.map((variable) => [variable.name, exampleValue(variable)])),
  };
}
