import OpenAI from 'openai';
import type { LanguageModel } from '#lib/ports/language-model.ts';

type Wanted = Pick<
  Parameters<LanguageModel['completeJson']>[0],
  'instructions' | 'input' | 'schemaName' | 'schema'
>;
type Body = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming;

/** How JSON is asked for, the strictest first: servers and models differ in what of it they know. */
const WAYS = ['json_schema', 'json_object', 'words'] as const;
type Way = (typeof WAYS)[number];

/** What a server says that knows the request but not this way to ask for JSON. */
const NOT_THIS_WAY = /response_?.?format|json_?.?(schema|object)|structured|grammar|\bschema\b/i;

/**
 * Asks for JSON as strictly as the server allows: by a schema, else by an object, else by words alone. `ask` sends one
 * request. What a server has refused is not asked of it again.
 */
export function createJsonRequests(model: string) {
  let first = 0;
  return async function request<Answer>(wanted: Wanted, ask: (body: Body) => Promise<Answer>) {
    for (let at = first; ; at += 1) {
      try {
        return await ask(bodyFor(WAYS[at] ?? 'words', { model, ...wanted }));
      } catch (error) {
        if (at >= WAYS.length - 1 || !isRefused(error)) throw error;
        first = Math.max(first, at + 1);
      }
    }
  };
}

function isRefused(error: unknown): boolean {
  if (!(error instanceof OpenAI.APIError)) return false;
  const status: unknown = error.status;
  return (status === 400 || status === 422) && NOT_THIS_WAY.test(error.message);
}

function bodyFor(
  way: Way,
  { model, instructions, input, schemaName, schema }: Wanted & { model: string },
): Body {
  const said =
    way === 'json_schema'
      ? instructions
      : `${instructions}\n\nAnswer with one JSON object and nothing else. It follows this JSON Schema:\n${JSON.stringify(schema)}`;
  return {
    model,
    messages: [
      { role: 'system', content: said },
      { role: 'user', content: input },
    ],
    ...(way === 'json_schema'
      ? { response_format: { type: way, json_schema: { name: schemaName, schema, strict: true } } }
      : {}),
    ...(way === 'json_object' ? { response_format: { type: way } } : {}),
  };
}
