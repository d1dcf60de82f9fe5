import { z } from 'zod';
import { requiredText, text } from '#lib/http/schemas.ts';
import { type ArgumentSchema, readArgumentSchema } from '../http/argument-schema.ts';
import { pathFault } from '../http/json-path.ts';
import { HTTP_METHODS, TOOL_LIMITS, TOOL_NAME, toolFaults } from '../http/tool.ts';
import { headerFault, INTEGRATION_LIMITS } from '../rules.ts';

const header = z
  .strictObject({
    name: requiredText(INTEGRATION_LIMITS.headerName),
    value: text(INTEGRATION_LIMITS.headerValue)
      .nullable()
      .describe('null for a secret: the one that is kept stays'),
    isSecret: z.boolean(),
  })
  .superRefine((given, context) => {
    const fault = headerFault(given);
    if (fault !== undefined) context.addIssue({ code: 'custom', path: ['name'], message: fault });
    if (given.value === null && !given.isSecret)
      context.addIssue({ code: 'custom', path: ['value'], message: 'is required' });
  });
export type HeaderInput = z.output<typeof header>;

export const headers = z
  .array(header)
  .max(INTEGRATION_LIMITS.headers)
  .refine(
    (all) => new Set(all.map(({ name }) => name.toLowerCase())).size === all.length,
    'must not name a header twice',
  );

export const parameters = z.unknown().transform((given, context): ArgumentSchema => {
  const schema = readArgumentSchema(given);
  if (schema) return schema;
  context.addIssue({ code: 'custom', message: 'must be the JSON Schema of an object, of at most 32 KB' });
  return z.NEVER;
});

const blankIsNull = (value: string | null) => (value === null || value.trim() === '' ? null : value.trim());

const wantedAnswer = text(TOOL_LIMITS.answer)
  .nullable()
  .transform(blankIsNull)
  .superRefine((given, context) => {
    if (given === null) return;
    const paths = given.includes('{{')
      ? [...given.matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)].map(([, path = '']) => path)
      : [given];
    for (const path of paths) {
      const fault = pathFault(path);
      if (fault !== undefined) context.addIssue({ code: 'custom', message: `“${path}” ${fault}` });
    }
  });

export const toolName = z
  .string()
  .regex(TOOL_NAME, 'must begin with a letter and have at most 64 letters, digits, _ or -');

export const httpTool = z
  .strictObject({
    name: toolName,
    description: requiredText(TOOL_LIMITS.description),
    method: z.enum(HTTP_METHODS),
    path: z.string().trim().max(TOOL_LIMITS.path),
    parameters,
    answer: wantedAnswer,
    timeoutMs: z.int().min(TOOL_LIMITS.minTimeoutMs).max(TOOL_LIMITS.maxTimeoutMs),
    meanwhile: text(TOOL_LIMITS.meanwhile).nullable().transform(blankIsNull),
  })
  .superRefine((tool, context) => {
    for (const { field, reason } of toolFaults(tool))
      context.addIssue({ code: 'custom', path: [field], message: reason });
  });

export const hasNamesOnce = (all: readonly { name: string }[]) =>
  new Set(all.map(({ name }) => name)).size === all.length;

export const httpTools = z
  .array(httpTool)
  .max(INTEGRATION_LIMITS.tools)
  .refine(hasNamesOnce, 'must not have a name twice');
