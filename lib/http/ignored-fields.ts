import { z } from 'zod';

const MOST_NAMED = 10;
const LONGEST_NAME = 60;

/** The fields of a JSON body that its schema does not know, which zod leaves out without a word. */
export function unknownFields(schema: z.ZodType, body: unknown): string[] {
  if (!(schema instanceof z.ZodObject) || typeof body !== 'object' || body === null) return [];
  return Object.keys(body).filter((name) => !Object.hasOwn(schema.shape, name));
}

/** The answer with a sentence about them in its `message`: a setting with a typing error in its name changes nothing. */
export function withIgnoredFields<Answer>(answer: Answer, ignored: readonly string[]): Answer {
  if (ignored.length === 0 || typeof answer !== 'object' || answer === null) return answer;
  const names = ignored.slice(0, MOST_NAMED).map((name) => name.slice(0, LONGEST_NAME));
  const more = ignored.length - names.length;
  const sentence = `Unknown fields were ignored: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const said = 'message' in answer ? `${String(answer.message)}. ${sentence}` : sentence;
  return { ...answer, message: said };
}
