import { z } from 'zod';
import { pathId, requiredText } from '#lib/http/schemas.ts';
import { provisionedCalendar } from '../calendar/fields.ts';
import { hasNamesOnce, headers, httpTools, parameters, toolName } from '../fields/contract.ts';
import { TOOL_LIMITS } from '../http/tool.ts';
import { MCP_LIMITS } from '../mcp/tool.ts';
import { INTEGRATION_LIMITS } from '../rules.ts';

const provisioned = {
  id: pathId.optional(),
  reset: z.boolean().default(false),
  name: requiredText(INTEGRATION_LIMITS.name),
  isOn: z.boolean().default(true),
};

const server = {
  address: z.string().trim().min(1, 'must not be empty').max(INTEGRATION_LIMITS.address),
  headers: headers.default([]),
};

/** A tool of an MCP server as the file wants it offered, whatever the server says of it later. */
const provisionedMcpTool = z
  .strictObject({
    name: toolName,
    serverName: z.string().min(1).max(MCP_LIMITS.name).optional(),
    description: requiredText(TOOL_LIMITS.description),
    parameters,
  })
  .transform(({ serverName, ...tool }) => ({
    ...tool,
    serverName: serverName ?? tool.name,
    isChosen: true,
  }));

/** One of a provision file. A secret that people entered since stays, unless `reset`. */
export const provisionedIntegration = z.discriminatedUnion('kind', [
  z.strictObject({ ...provisioned, ...server, kind: z.literal('http'), tools: httpTools.default([]) }),
  z.strictObject({
    ...provisioned,
    ...server,
    kind: z.literal('mcp'),
    tools: z
      .array(provisionedMcpTool)
      .max(MCP_LIMITS.tools)
      .refine(hasNamesOnce, 'must not have a name twice')
      .default([]),
  }),
  z.strictObject({
    ...provisioned,
    kind: z.literal('calendar'),
    address: z.string().trim().max(INTEGRATION_LIMITS.address).default(''),
    ...provisionedCalendar,
  }),
]);
export type ProvisionedIntegration = z.output<typeof provisionedIntegration>;
