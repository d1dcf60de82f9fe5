import { z } from 'zod';

export type TriedArgument = {
  name: string;
  kind: 'text' | 'number' | 'json';
  choices: string[] | undefined;
  description: string;
  isRequired: boolean;
};

const property = z.object({
  type: z.unknown(),
  description: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
});
const parameters = z.object({
  properties: z.record(z.string(), property).default({}),
  required: z.array(z.string()).default([]),
});

/** The fields that a person fills in for the arguments of a tool. */
export function argumentsOf(schema: unknown): TriedArgument[] {
  const read = parameters.safeParse(schema);
  if (!read.success) return [];
  return Object.entries(read.data.properties).map(([name, each]) => {
    const isTexts = each.enum?.every((choice) => typeof choice === 'string');
    return {
      name,
      kind: kindOf(each.type),
      choices: each.type === 'boolean' ? ['true', 'false'] : isTexts ? each.enum?.map(String) : undefined,
      description: each.description ?? '',
      isRequired: read.data.required.includes(name),
    };
  });
}

function kindOf(type: unknown): TriedArgument['kind'] {
  if (type === 'string' || type === undefined) return 'text';
  return type === 'number' || type === 'integer' ? 'number' : 'json';
}

/** What was typed, as the tool takes it; an empty field is not given. What is no JSON is sent as text, and refused as such. */
export function readGiven(
  fields: readonly TriedArgument[],
  texts: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const given = fields.filter(({ name }) => (texts[name] ?? '') !== '');
  return Object.fromEntries(
    given.map(({ name, kind }) => {
      const text = texts[name] ?? '';
      return [name, kind === 'text' ? text : parsed(text)];
    }),
  );
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}
