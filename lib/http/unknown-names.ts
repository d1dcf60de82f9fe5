import { z } from 'zod';
import { validationError } from '#lib/errors.ts';
import { isOfContract } from './contract-operations.ts';
import { type Operation, WORKSPACE_PARAMETER } from './operation.ts';

const MOST_NAMED = 10;
const LONGEST_NAME = 60;

/** Names on the contract's operations what of a request had no effect. */
export const WARNING_HEADER = 'x-callwright-warning';

/** The fields of a JSON body that its schema does not know, which zod leaves out without a word. */
export function unknownFields(schema: z.ZodType, body: unknown): string[] {
  if (!(schema instanceof z.ZodObject) || typeof body !== 'object' || body === null) return [];
  return Object.keys(body).filter((name) => !Object.hasOwn(schema.shape, name));
}

/** The answer with a sentence about them in its `message`: a setting with a typing error in its name changes nothing. */
export function withIgnoredFields<Answer>(answer: Answer, ignored: readonly string[]): Answer {
  if (ignored.length === 0 || typeof answer !== 'object' || answer === null) return answer;
  const sentence = `Unknown fields were ignored: ${listed(ignored.map((name) => name.slice(0, LONGEST_NAME)))}`;
  const said = 'message' in answer ? `${String(answer.message)}. ${sentence}` : sentence;
  return { ...answer, message: said };
}

/**
 * The query parameters that an operation does not have: a filter with a typing error in its name filters nothing. The
 * contract's operations ignore them; of others they are refused with VALIDATION_ERROR.
 */
export function unknownParameters(operation: Operation, query: Record<string, string>): string[] {
  const known = new Set(Object.keys(operation.query?.shape ?? {}));
  if (operation.scope === 'workspace' || operation.scope === 'member') known.add(WORKSPACE_PARAMETER);
  const unknown = Object.keys(query).filter((name) => !known.has(name));
  if (unknown.length === 0 || isOfContract(operation)) return unknown;
  throw validationError(
    unknown.slice(0, MOST_NAMED).map((name) => ({
      field: name.slice(0, LONGEST_NAME).toWellFormed(),
      reason: 'is not a known query parameter',
    })),
  );
}

/** Says on an answer which query parameters were ignored. */
export function warnOfParameters(response: Response, ignored: readonly string[]): void {
  if (ignored.length === 0) return;
  const names = ignored.map((name) => encodeURIComponent(name.slice(0, LONGEST_NAME).toWellFormed()));
  response.headers.set(WARNING_HEADER, `Unknown query parameters were ignored: ${listed(names)}`);
}

function listed(names: readonly string[]): string {
  const named = names.slice(0, MOST_NAMED);
  const more = names.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
