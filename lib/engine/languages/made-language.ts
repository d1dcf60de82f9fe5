import { en } from './en.ts';
import type { Language } from './language.ts';

type Shape = string | readonly string[] | { readonly [name: string]: Shape };

const LONGEST_LINE = 300;
const MOST_BACKCHANNELS = 60;

/** For the model that makes a language of the English one. */
export const LANGUAGE_INSTRUCTIONS =
  'You translate what a voice agent says on the telephone. Translate every line of the JSON into the language that is named: naturally, formally addressed, as people speak, without a gender of the agent. Keep what stands in braces, such as {business}, as it is and every key. "spelling" holds the words for signs in e-mail addresses. "backchannels" are small words by which people show that they listen: give those of the language, lower case, without punctuation, instead of translating.';

/** JSON Schema of a language, strict. */
export function languageSchema(): Record<string, unknown> {
  return schemaOf(en);
}

/** What a model made, where it has every line with its placeholders; undefined where not. */
export function parseLanguage(value: unknown): Language | undefined {
  return isShapedLike(en, value) ? (value as Language) : undefined;
}

function schemaOf(shape: Shape): Record<string, unknown> {
  if (typeof shape === 'string') return { type: 'string' };
  if (isList(shape)) return { type: 'array', items: { type: 'string' } };
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(shape).map(([name, part]) => [name, schemaOf(part)])),
    required: Object.keys(shape),
    additionalProperties: false,
  };
}

function isShapedLike(shape: Shape, value: unknown): boolean {
  if (typeof shape === 'string') {
    return isLine(value) && placeholdersOf(value) === placeholdersOf(shape);
  }
  if (isList(shape)) return Array.isArray(value) && value.length <= MOST_BACKCHANNELS && value.every(isLine);
  if (typeof value !== 'object' || value === null) return false;
  const parts = new Map(Object.entries(value));
  return Object.entries(shape).every(([name, part]) => isShapedLike(part, parts.get(name)));
}

function isList(shape: Shape): shape is readonly string[] {
  return Array.isArray(shape);
}

function isLine(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST_LINE;
}

function placeholdersOf(line: string): string {
  return (line.match(/\{\w+\}/g) ?? []).sort().join();
}
