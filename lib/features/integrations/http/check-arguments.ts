import { Ajv, type ErrorObject } from 'ajv';
import { type ArgumentSchema, asRecord } from './argument-schema.ts';

/** What a model, or a person who tries a tool, may give in all. */
const MAX_BYTES = 16 * 1024;
const MAX_PROBLEMS = 5;

/** Holds arguments against a schema that `readArgumentSchema` bounded. `reason` tells a model what to mend. */
export function checkArguments(
  schema: ArgumentSchema,
  given: unknown,
): { ok: true; arguments: Record<string, unknown> } | { ok: false; reason: string } {
  const args = asRecord(given);
  if (!args) return { ok: false, reason: 'the arguments must be an object' };
  if (JSON.stringify(args).length > MAX_BYTES) return { ok: false, reason: 'the arguments are too long' };
  const known = Object.fromEntries(
    // What was left out is sometimes given as null; what is not in the schema is nothing that was asked for.
    Object.entries(args).filter(
      ([name, value]) => name in schema.properties && !(value === null && !schema.required.includes(name)),
    ),
  );
  // A new one each time: it keeps every schema that it has seen. Patterns are not in the schema, formats are not checked.
  const ajv = new Ajv({
    strict: false,
    validateFormats: false,
    validateSchema: false,
    meta: false,
    allErrors: true,
    logger: false,
  });
  const isValid = ajv.compile({ ...schema });
  if (isValid(known)) return { ok: true, arguments: known };
  const problems = (isValid.errors ?? []).slice(0, MAX_PROBLEMS).map(describeProblem);
  return { ok: false, reason: problems.join('; ') };
}

function describeProblem({ instancePath, message, params }: ErrorObject): string {
  const field = instancePath.slice(1).replaceAll('/', '.');
  const allowed = Array.isArray(params['allowedValues'])
    ? `: ${params['allowedValues'].map(String).join(', ')}`
    : '';
  return `${field === '' ? 'arguments' : field}: ${message ?? 'is not valid'}${allowed}`;
}
