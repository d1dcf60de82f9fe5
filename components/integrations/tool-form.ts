import { z } from 'zod';
import { type ShownTool } from '#lib/features/integrations/contract.ts';
import { httpTool } from '#lib/features/integrations/fields/contract.ts';
import { TOOL_LIMITS } from '#lib/features/integrations/http/tool.ts';

/** What an argument of the form can be; everything else is written as JSON Schema. */
export const ARGUMENT_TYPES = [
  { value: 'string', label: 'Text' },
  { value: 'integer', label: 'Whole number' },
  { value: 'number', label: 'Number' },
  { value: 'boolean', label: 'Yes or no' },
] as const;

const argument = z.object({
  name: z.string(),
  type: z.enum(['string', 'integer', 'number', 'boolean']),
  description: z.string(),
  /** Comma-separated. */
  choices: z.string(),
  isRequired: z.boolean(),
});
export type ArgumentValues = z.output<typeof argument>;

const MS_PER_S = 1000;

/** A tool as it is edited: its arguments as rows, or as the text of a JSON Schema. */
export const toolForm = z
  .object({
    name: z.string(),
    description: z.string(),
    method: httpTool.shape.method,
    path: z.string(),
    isSchema: z.boolean(),
    rows: z.array(argument),
    schema: z.string(),
    answer: z.string().nullable(),
    timeoutS: z.number(),
    meanwhile: z.string().nullable(),
  })
  .superRefine((values, context) => {
    const read = readValues(values);
    if (!read.ok) return context.addIssue({ code: 'custom', path: ['schema'], message: read.reason });
    const checked = httpTool.safeParse(read.tool);
    for (const issue of checked.error?.issues ?? []) {
      const [field = ''] = issue.path;
      const path = FIELDS[String(field)] ?? String(field);
      context.addIssue({
        code: 'custom',
        path: [path === 'rows' && values.isSchema ? 'schema' : path],
        message: issue.message,
      });
    }
    values.rows.forEach(({ name }, index) => {
      if (!values.isSchema && !/^[A-Za-z_][\w-]{0,63}$/.test(name.trim()))
        context.addIssue({
          code: 'custom',
          path: ['rows', index, 'name'],
          message: 'must be a name like order_number',
        });
    });
  });
export type ToolFormValues = z.output<typeof toolForm>;

const FIELDS: Record<string, string> = { parameters: 'rows', timeoutMs: 'timeoutS' };

export const NEW_TOOL: ToolFormValues = {
  name: '',
  description: '',
  method: 'GET',
  path: '',
  isSchema: false,
  rows: [],
  schema: '',
  answer: null,
  timeoutS: TOOL_LIMITS.defaultTimeoutMs / MS_PER_S,
  meanwhile: null,
};

export const NEW_ARGUMENT: ArgumentValues = {
  name: '',
  type: 'string',
  description: '',
  choices: '',
  isRequired: true,
};

export function valuesOf(tool: ShownTool): ToolFormValues {
  const rows = rowsOf(tool.parameters);
  return {
    ...tool,
    isSchema: rows === undefined,
    rows: rows ?? [],
    schema: JSON.stringify(tool.parameters, null, 2),
    timeoutS: tool.timeoutMs / MS_PER_S,
  };
}

/** The tool that a form describes; as the API takes it. */
export function readValues(
  values: ToolFormValues,
): { ok: true; tool: z.input<typeof httpTool> } | { ok: false; reason: string } {
  const { isSchema, rows, schema, timeoutS, ...rest } = values;
  const parameters = isSchema ? parseSchema(schema) : schemaOf(rows);
  if (parameters === undefined) return { ok: false, reason: 'must be valid JSON' };
  return { ok: true, tool: { ...rest, parameters, timeoutMs: Math.round(timeoutS * MS_PER_S) } };
}

/** The other way of writing the same arguments; undefined where rows cannot say it. */
export function toggled(values: ToolFormValues): Partial<ToolFormValues> | undefined {
  if (!values.isSchema) return { isSchema: true, schema: JSON.stringify(schemaOf(values.rows), null, 2) };
  const rows = rowsOf(parseSchema(values.schema));
  return rows && { isSchema: false, rows };
}

function parseSchema(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{"type":"object","properties":{}}' : text);
    return value;
  } catch {
    return undefined;
  }
}

export function schemaOf(rows: readonly ArgumentValues[]): Record<string, unknown> {
  return {
    type: 'object',
    properties: Object.fromEntries(
      rows.map(({ name, type, description, choices }) => {
        const list = choices.split(',').flatMap((choice) => choice.trim() || []);
        return [
          name.trim(),
          {
            type,
            ...(description.trim() === '' ? {} : { description: description.trim() }),
            ...(type === 'string' && list.length > 0 ? { enum: list } : {}),
          },
        ];
      }),
    ),
    required: rows.filter((row) => row.isRequired).map((row) => row.name.trim()),
  };
}

const ROW_WORDS = new Set(['type', 'description', 'enum']);
const schemaObject = z.object({
  properties: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
  required: z.array(z.string()).default([]),
});

/** Rows that say the same as a schema; undefined where it says more than rows can. */
function rowsOf(schema: unknown): ArgumentValues[] | undefined {
  const read = schemaObject.safeParse(schema);
  if (!read.success) return undefined;
  const { properties, required } = read.data;
  const rows = Object.entries(properties).map(([name, fields]) => {
    const choices = z.array(z.string()).optional().safeParse(fields['enum']);
    const row = argument.safeParse({
      name,
      type: fields['type'],
      description: fields['description'] ?? '',
      choices: choices.data?.join(', ') ?? '',
      isRequired: required.includes(name),
    });
    const isPlain = Object.keys(fields).every((word) => ROW_WORDS.has(word));
    const hasCommas = choices.data?.some((choice) => choice.includes(',')) ?? false;
    return isPlain && choices.success && !hasCommas && row.success ? row.data : undefined;
  });
  return rows.every((row) => row !== undefined) ? rows : undefined;
}
