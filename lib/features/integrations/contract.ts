import { z } from 'zod';
import { withBase } from '#lib/http/base.ts';
import { defineOperation, LONG_TEXT_BYTES } from '#lib/http/operation.ts';
import { enveloped, pathId, requiredText, timestamp } from '#lib/http/schemas.ts';
import { calendarPatch, shownCalendar } from './calendar/fields.ts';
import { headers, httpTools } from './fields/contract.ts';
import { HTTP_METHODS } from './http/tool.ts';
import { MCP_LIMITS } from './mcp/tool.ts';
import { INTEGRATION_KINDS, INTEGRATION_LIMITS, INTEGRATION_STATES } from './rules.ts';

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

const mcpTool = z.object({
  name: z.string().describe('As agents know it'),
  serverName: z.string().describe('As the server knows it'),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  isChosen: z.boolean(),
});
export type ShownMcpTool = z.output<typeof mcpTool>;

export const integrationDetail = z.object({
  ...integrationSchema.shape,
  isOn: z.boolean(),
  address: z.string(),
  headers: z.array(z.object({ name: z.string(), value: z.string().nullable(), isSecret: z.boolean() })),
  tools: z.array(shownTool).describe('Of HTTP requests'),
  mcpTools: z.array(mcpTool).describe('Of an MCP server: all of them'),
  calendar: shownCalendar.nullable(),
  refreshedAt: timestamp.nullable().describe('When the server was asked for its tools, or its calendars'),
  fault: z.string().nullable(),
  faultAt: timestamp.nullable(),
  agents: z.array(z.object({ id: z.string(), name: z.string() })).describe('Whose agents name it'),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type IntegrationDetail = z.output<typeof integrationDetail>;

const params = z.object({ integrationId: pathId });
const name = requiredText(INTEGRATION_LIMITS.name);
const anyAddress = z
  .string()
  .trim()
  .max(INTEGRATION_LIMITS.address)
  .describe('Empty for a calendar without a server');
const chosenTools = z
  .array(z.string().max(100))
  .max(MCP_LIMITS.tools)
  .describe('Names of an MCP server’s tools');
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
  body: z
    .strictObject({ name, kind: z.enum(INTEGRATION_KINDS), address: anyAddress })
    .refine(({ kind, address: given }) => given !== '' || kind === 'calendar', {
      path: ['address'],
      message: 'must not be empty',
    }),
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
  body: withBase(
    z
      .strictObject({
        name,
        isOn: z.boolean(),
        address: anyAddress,
        headers,
        tools: httpTools,
        chosenTools,
        calendar: calendarPatch,
      })
      .partial(),
  ),
  response: enveloped(integrationDetail),
  status: 200,
});
export type IntegrationPatch = Omit<z.output<typeof updateIntegration.body>, 'base'>;

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

const refreshedTools = z.object({
  added: z.array(z.string()).describe('New; not chosen until somebody does'),
  changed: z.array(z.string()).describe('Describe themselves in other words; not chosen any more'),
  gone: z.array(z.string()),
  skipped: z.int().describe('Cannot be used: too large, twice, or too many'),
});
export type RefreshedTools = z.output<typeof refreshedTools>;

export const refreshIntegration = defineOperation({
  ...dashboard,
  id: 'refreshIntegration',
  method: 'POST',
  path: '/dashboard/integrations/{integrationId}/refresh',
  role: 'admin',
  summary: 'Ask an MCP server for its tools, a CalDAV server for its calendars',
  params,
  response: enveloped(
    z.object({
      integration: integrationDetail,
      told: refreshedTools.nullable().describe('Of an MCP server'),
    }),
  ),
  status: 200,
});

export const cancelAppointment = defineOperation({
  ...dashboard,
  id: 'cancelAppointment',
  method: 'DELETE',
  path: '/dashboard/integrations/{integrationId}/appointments/{appointmentId}',
  role: 'member',
  summary: 'Take an appointment off a calendar that the service keeps itself',
  params: z.object({ integrationId: pathId, appointmentId: pathId }),
  response: enveloped(z.null()),
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
  refreshIntegration,
  cancelAppointment,
  readOpenApi,
] as const;
