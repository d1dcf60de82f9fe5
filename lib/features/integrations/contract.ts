import { z } from 'zod';
import { defineOperation, LONG_TEXT_BYTES } from '#lib/http/operation.ts';
import { enveloped, pathId, requiredText, text, timestamp } from '#lib/http/schemas.ts';
import { type ArgumentSchema, readArgumentSchema } from './http/argument-schema.ts';
import { pathFault } from './http/json-path.ts';
import { HTTP_METHODS, TOOL_LIMITS, TOOL_NAME, toolFaults } from './http/tool.ts';
import { headerFault, INTEGRATION_KINDS, INTEGRATION_LIMITS, INTEGRATION_STATES } from './rules.ts';

/** What other systems need in order to name one in an agent's `integrationIds`. */
export const integrationSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: z.enum(INTEGRATION_KINDS),
    state: z
      .enum(INTEGRATION_STATES)
      .describe('`failing`: the last use did not work; agents go on being offered its tools'),
    toolNames: z
      .array(z.string())
      .describe('What agents that name it may use, unless it stands in their `disabledToolNames`'),
  })
  .meta({ id: 'Integration' });
export type IntegrationView = z.output<typeof integrationSchema>;

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

const headers = z
  .array(header)
  .max(INTEGRATION_LIMITS.headers)
  .refine(
    (all) => new Set(all.map(({ name }) => name.toLowerCase())).size === all.length,
    'must not name a header twice',
  );

const parameters = z.unknown().transform((given, context): ArgumentSchema => {
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

const httpTools = z
  .array(httpTool)
  .max(INTEGRATION_LIMITS.tools)
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'must not have a name twice');

/** One of a provision file. A secret that people entered since stays, unless `reset`. */
export const provisionedIntegration = z.strictObject({
  id: pathId.optional(),
  reset: z.boolean().default(false),
  name: requiredText(INTEGRATION_LIMITS.name),
  kind: z.enum(INTEGRATION_KINDS),
  isOn: z.boolean().default(true),
  address: z.string().trim().min(1, 'must not be empty').max(INTEGRATION_LIMITS.address),
  headers: headers.default([]),
  tools: httpTools.default([]),
});
export type ProvisionedIntegration = z.output<typeof provisionedIntegration>;

const shownTool = z.object({
  name: z.string(),
  description: z.string(),
  method: z.enum(HTTP_METHODS),
  path: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  answer: z.string().nullable(),
  timeoutMs: z.number(),
  meanwhile: z.string().nullable(),
});
export type ShownTool = z.output<typeof shownTool>;

export const integrationDetail = z.object({
  ...integrationSchema.shape,
  isOn: z.boolean(),
  address: z.string(),
  headers: z.array(z.object({ name: z.string(), value: z.string().nullable(), isSecret: z.boolean() })),
  tools: z.array(shownTool),
  fault: z.string().nullable(),
  faultAt: timestamp.nullable(),
  agents: z.array(z.object({ id: z.string(), name: z.string() })).describe('Whose agents name it'),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type IntegrationDetail = z.output<typeof integrationDetail>;

const params = z.object({ integrationId: pathId });
const name = requiredText(INTEGRATION_LIMITS.name);
const address = z.string().trim().min(1, 'must not be empty').max(INTEGRATION_LIMITS.address);
const dashboard = { scope: 'member', tag: 'Dashboard' } as const;

export const listIntegrations = defineOperation({
  id: 'listIntegrations',
  method: 'GET',
  path: '/integrations',
  scope: 'workspace',
  role: 'viewer',
  tag: 'Integrations',
  summary: 'List the integrations of the workspace, in the order in which they were made',
  response: enveloped(z.array(integrationSchema)),
  status: 200,
});

export const getIntegration = defineOperation({
  ...dashboard,
  id: 'getIntegration',
  method: 'GET',
  path: '/dashboard/integrations/{integrationId}',
  role: 'viewer',
  summary: 'One integration; secrets are not shown again',
  params,
  response: enveloped(integrationDetail),
  status: 200,
});

export const createIntegration = defineOperation({
  ...dashboard,
  id: 'createIntegration',
  method: 'POST',
  path: '/dashboard/integrations',
  role: 'admin',
  summary: 'Add an integration',
  body: z.strictObject({ name, kind: z.enum(INTEGRATION_KINDS), address }),
  response: enveloped(integrationDetail),
  status: 201,
});

export const updateIntegration = defineOperation({
  ...dashboard,
  id: 'updateIntegration',
  method: 'PATCH',
  path: '/dashboard/integrations/{integrationId}',
  role: 'admin',
  summary: 'Change an integration; what is left out stays',
  params,
  maxBodyBytes: LONG_TEXT_BYTES,
  body: z.strictObject({ name, isOn: z.boolean(), address, headers, tools: httpTools }).partial(),
  response: enveloped(integrationDetail),
  status: 200,
});
export type IntegrationPatch = z.output<typeof updateIntegration.body>;

export const deleteIntegration = defineOperation({
  ...dashboard,
  id: 'deleteIntegration',
  method: 'DELETE',
  path: '/dashboard/integrations/{integrationId}',
  role: 'admin',
  summary: 'Delete an integration; agents that name it keep its id, which is unknown from then on',
  params,
  response: enveloped(z.null()),
  status: 200,
});

const triedUse = z.object({
  request: z
    .object({
      method: z.string(),
      url: z.string(),
      headers: z.array(z.object({ name: z.string(), value: z.string() })),
      body: z.string(),
    })
    .nullable()
    .describe('null: the arguments were refused, and nothing was sent'),
  status: z.number().nullable(),
  durationMs: z.number(),
  answer: z.string().nullable(),
  heard: z.record(z.string(), z.unknown()).describe('What the agent learns'),
});
export type TriedUse = z.output<typeof triedUse>;

export const tryIntegration = defineOperation({
  ...dashboard,
  id: 'tryIntegration',
  method: 'POST',
  path: '/dashboard/integrations/{integrationId}/try',
  role: 'admin',
  summary: 'Use a tool now, as a call would, with secrets masked in what is shown',
  params,
  maxBodyBytes: 64 * 1024,
  body: z.strictObject({
    toolName: z.string().min(1).max(100),
    arguments: z.record(z.string(), z.unknown()),
  }),
  response: enveloped(triedUse),
  status: 200,
});

const importedTool = z.object({
  label: z.string().describe('Method and path, as the document has them'),
  tool: shownTool.nullable(),
  reason: z.string().nullable().describe('Why it cannot be taken over'),
});
export type ImportedTool = z.output<typeof importedTool>;

export const readOpenApi = defineOperation({
  ...dashboard,
  id: 'readOpenApi',
  method: 'POST',
  path: '/dashboard/integrations/openapi',
  role: 'admin',
  summary: 'Read an OpenAPI document into tools to choose from; nothing is saved, nothing is fetched',
  maxBodyBytes: 2 * LONG_TEXT_BYTES,
  body: z.strictObject({ document: z.string().min(1, 'must not be empty').max(1_000_000) }),
  response: enveloped(
    z.object({ title: z.string(), address: z.string().nullable(), tools: z.array(importedTool) }),
  ),
  status: 200,
});
export type OpenApiReading = z.output<typeof readOpenApi.response>['data'];

export const integrationOperations = [
  listIntegrations,
  getIntegration,
  createIntegration,
  updateIntegration,
  deleteIntegration,
  tryIntegration,
  readOpenApi,
] as const;
