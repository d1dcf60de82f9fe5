import { z } from 'zod';
import { withBase } from '#lib/http/base.ts';
import { defineOperation, LONG_TEXT_BYTES, LOOK_UP_ERRORS } from '#lib/http/operation.ts';
import {
  afterItem,
  enveloped,
  PAGING_NOTE,
  pathId,
  queryInteger,
  requiredText,
  text,
  timestamp,
} from '#lib/http/schemas.ts';
import {
  AGENT_LIMITS,
  agentSettingsSchema,
  clearable,
  settingsShape,
  templateText,
} from './settings/contract.ts';

/** Contract, Agent. */
export const agentSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    isActive: z.boolean().describe('An inactive agent places and takes no calls'),
    inboundPrompt: z.string().nullable(),
    ...settingsShape,
    voiceCardEdited: z.boolean(),
    phoneNumberId: z.string().nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Agent' });
export type AgentView = z.output<typeof agentSchema>;

const agentParams = z.object({ agentId: pathId });
export const agentAnswer = enveloped(agentSchema);
const tag = 'Agents';

/** What the operations on one agent have in common. */
export const onAgent = {
  scope: 'workspace',
  tag,
  params: agentParams,
  status: 200,
  errors: LOOK_UP_ERRORS,
} as const;

export const getAgent = defineOperation({
  ...onAgent,
  id: 'getAgent',
  method: 'GET',
  path: '/agents/{agentId}',
  role: 'viewer',
  summary: 'Read an agent',
  response: agentAnswer,
});

const chatPromptSchema = z
  .object({ id: z.string(), chatPrompt: z.string().nullable() })
  .meta({ id: 'ChatPrompt' });

export const getChatPrompt = defineOperation({
  ...onAgent,
  id: 'getChatPrompt',
  method: 'GET',
  path: '/agents/{agentId}/chat-prompt',
  role: 'viewer',
  summary: 'Read the website chat prompt',
  response: enveloped(chatPromptSchema),
});

export const putChatPrompt = defineOperation({
  ...onAgent,
  id: 'putChatPrompt',
  method: 'PUT',
  path: '/agents/{agentId}/chat-prompt',
  role: 'member',
  summary: 'Change the website chat prompt',
  description: 'An empty text clears it.',
  maxBodyBytes: LONG_TEXT_BYTES,
  body: withBase(z.object({ chatPrompt: text(AGENT_LIMITS.prompt) }).meta({ id: 'ChatPromptText' })),
  example: { chatPrompt: 'You answer questions on the website of Alpha Dental. Be brief and friendly.' },
  response: enveloped(chatPromptSchema),
});

export const putInboundPrompt = defineOperation({
  ...onAgent,
  id: 'putInboundPrompt',
  method: 'PUT',
  path: '/agents/{agentId}/inbound-prompt',
  role: 'member',
  summary: 'Change the prompt for inbound calls',
  description:
    'The voice card is derived anew from the prompt, unless it was edited by hand. An empty text clears the prompt. While a single prompt is set the answer is 400 SINGLE_PROMPT_ACTIVE.',
  maxBodyBytes: LONG_TEXT_BYTES,
  body: withBase(
    z.object({ inboundPrompt: templateText(AGENT_LIMITS.prompt) }).meta({ id: 'InboundPromptText' }),
  ),
  example: { inboundPrompt: 'You are Mia from Alpha Dental. Answer questions and book appointments.' },
  errors: [...LOOK_UP_ERRORS, 'SINGLE_PROMPT_ACTIVE'],
  response: agentAnswer,
});

export const putAgentSettings = defineOperation({
  ...onAgent,
  id: 'putAgentSettings',
  method: 'PUT',
  path: '/agents/{agentId}/settings',
  role: 'member',
  summary: "Change an agent's settings",
  description:
    'Only the fields sent change. Writing any field of the voice card (personaName, businessName, inboundGreeting, voiceScope, voiceTone, aiDisclosure) sets voiceCardEdited, after which a changed prompt leaves the card alone.',
  maxBodyBytes: LONG_TEXT_BYTES,
  body: withBase(agentSettingsSchema),
  example: { hasBargeIn: true },
  errors: [...LOOK_UP_ERRORS, 'SINGLE_PROMPT_ACTIVE'],
  response: agentAnswer,
});

export const listAgents = defineOperation({
  id: 'listAgents',
  method: 'GET',
  path: '/agents',
  scope: 'workspace',
  role: 'viewer',
  tag,
  summary: 'List the agents of the workspace, the oldest first',
  description: PAGING_NOTE,
  query: z.object({
    limit: queryInteger({ min: 1, max: 100, default: 50 }),
    skip: queryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER, default: 0 }),
    after: afterItem,
  }),
  response: enveloped(z.array(agentSchema)),
  status: 200,
  errors: LOOK_UP_ERRORS,
});

export type AgentPage = z.output<typeof listAgents.query>;

/** What the dashboard may change later on as well. */
export const identityFields = {
  name: requiredText(AGENT_LIMITS.name),
  description: clearable(text(AGENT_LIMITS.description)),
};

export const createAgent = defineOperation({
  id: 'createAgent',
  method: 'POST',
  path: '/agents',
  scope: 'workspace',
  role: 'member',
  tag,
  summary: 'Create an agent',
  description:
    'The voice card is derived from the inbound prompt, where one is given. Everything else has its default; change it with the settings.',
  maxBodyBytes: LONG_TEXT_BYTES,
  body: z
    .strictObject({ ...identityFields, inboundPrompt: clearable(templateText(AGENT_LIMITS.prompt)) })
    .partial({ description: true, inboundPrompt: true })
    .meta({ id: 'NewAgent' }),
  example: { name: 'Front desk', inboundPrompt: 'You are Mia from Alpha Dental. Answer questions.' },
  response: agentAnswer,
  status: 201,
});

export const deleteAgent = defineOperation({
  ...onAgent,
  id: 'deleteAgent',
  method: 'DELETE',
  path: '/agents/{agentId}',
  role: 'admin',
  summary: 'Delete an agent with its prompts; its conversations stay',
  description:
    'Its phone numbers are left without an agent, its knowledge bases are detached. A call of it that is still queued ends as a failed conversation; one that runs goes on to its end.',
  response: enveloped(z.null()),
});

export const agentOperations = [
  listAgents,
  createAgent,
  getAgent,
  deleteAgent,
  getChatPrompt,
  putChatPrompt,
  putInboundPrompt,
  putAgentSettings,
] as const;
