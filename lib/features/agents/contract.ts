import { z } from 'zod';
import { readTemplate } from '#lib/engine/prompt/template.ts';
import { defineOperation, LONG_TEXT_BYTES, LOOK_UP_ERRORS } from '#lib/http/operation.ts';
import {
  enveloped,
  pathId,
  queryInteger,
  requiredText,
  text,
  timestamp,
  trimmedText,
} from '#lib/http/schemas.ts';
import { WORLDWIDE_NUMBER_PATTERN } from '#lib/phone-number.ts';

/** Bounds of the contract, and our own where it gives none. */
export const AGENT_LIMITS = {
  name: 120,
  description: 1000,
  prompt: 100_000,
  personaName: 120,
  businessName: 120,
  opening: 600,
  voiceScope: 1000,
  aiDisclosure: 300,
  voicePrompt: 20_000,
  hints: 5000,
  voiceId: 200,
  webhookUrl: 2048,
  listItems: 200,
  listItem: 200,
} as const;

/**
 * Text with placeholders: every fault of the template is a problem of its own, with line and column. The rule is
 * part of the schema, so the dashboard's forms show the same sentences as the API.
 */
export function templateText(maxCharacters: number) {
  return text(maxCharacters).superRefine((value, context) => {
    // Text over its bound is refused already; parsing it as well would only cost time.
    if (value.length > maxCharacters) return;
    for (const problem of readTemplate(value).problems.slice(0, 5)) {
      context.addIssue({
        code: 'custom',
        message: `line ${problem.line}, column ${problem.column}: ${problem.message}`,
      });
    }
  });
}

/** Null, empty or blank all mean "none". */
export function clearable<Schema extends z.ZodType<string>>(schema: Schema) {
  return schema
    .nullable()
    .transform((value: string | null) => (value === null || value.trim() === '' ? null : value));
}

const LANGUAGE_CODE = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;

const nameList = z
  .array(requiredText(AGENT_LIMITS.listItem))
  .max(AGENT_LIMITS.listItems, `must have at most ${AGENT_LIMITS.listItems} entries`);

/** Contract, Agent. */
export const agentSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    isActive: z.boolean().describe('An inactive agent places and takes no calls'),
    inboundPrompt: z.string().nullable(),
    hasCallTransfer: z.boolean(),
    hasEndCall: z.boolean(),
    transferCallerId: z.enum(['human', 'agent']),
    hasAutoInboundTransfer: z.boolean(),
    inboundTransferNumber: z.string().nullable(),
    isMultilingual: z.boolean(),
    hasBargeIn: z.boolean(),
    hasPostConversationWebhook: z.boolean(),
    postConversationWebhookUrl: z.string().nullable(),
    hasHints: z.boolean(),
    hints: z.string().nullable(),
    hasLanguage: z.boolean(),
    language: z.string().nullable(),
    voiceId: z.string().nullable(),
    personaName: z.string().nullable(),
    businessName: z.string().nullable().describe('Spoken as the workspace name when null'),
    inboundGreeting: z.string().nullable(),
    voiceScope: z.string().nullable(),
    voiceTone: z.enum(['calm', 'warm', 'professional']).nullable(),
    aiDisclosure: z.string().nullable(),
    voiceCardEdited: z.boolean(),
    inboundVoicePrompt: z.string().nullable(),
    inboundSinglePrompt: z.string().nullable(),
    integrationIds: z.array(z.string()),
    disabledToolNames: z.array(z.string()),
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
  body: z.object({ chatPrompt: text(AGENT_LIMITS.prompt) }).meta({ id: 'ChatPromptText' }),
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
  body: z.object({ inboundPrompt: templateText(AGENT_LIMITS.prompt) }).meta({ id: 'InboundPromptText' }),
  example: { inboundPrompt: 'You are Mia from Alpha Dental. Answer questions and book appointments.' },
  errors: [...LOOK_UP_ERRORS, 'SINGLE_PROMPT_ACTIVE'],
  response: agentAnswer,
});

const settingsFields = {
  inboundSinglePrompt: z
    .null('can only be null: a single prompt is written in the dashboard')
    .describe(
      'null stops using the single prompt and leaves inboundPrompt and inboundVoicePrompt as they are',
    ),
  hasCallTransfer: z.boolean(),
  hasEndCall: z.boolean(),
  transferCallerId: z.enum(['human', 'agent']),
  hasAutoInboundTransfer: z.boolean(),
  inboundTransferNumber: clearable(
    z
      .string()
      .max(100, 'must be at most 100 characters')
      .refine(
        (value) => value.trim() === '' || WORLDWIDE_NUMBER_PATTERN.test(value),
        'must be a phone number such as +15550100009',
      ),
  ),
  isMultilingual: z.boolean(),
  hasBargeIn: z.boolean(),
  hasPostConversationWebhook: z.boolean(),
  postConversationWebhookUrl: clearable(text(AGENT_LIMITS.webhookUrl)).describe(
    'https; blank uses the workspace URL',
  ),
  hasHints: z.boolean(),
  hints: clearable(text(AGENT_LIMITS.hints)).describe(
    'Comma-separated words that the transcription should expect',
  ),
  hasLanguage: z.boolean(),
  language: clearable(
    z
      .string()
      .max(35, 'must be at most 35 characters')
      .refine(
        (value) => value.trim() === '' || LANGUAGE_CODE.test(value),
        'must be a language code such as en-US',
      ),
  ),
  voiceId: clearable(text(AGENT_LIMITS.voiceId)),
  personaName: clearable(trimmedText(AGENT_LIMITS.personaName)),
  businessName: clearable(trimmedText(AGENT_LIMITS.businessName)),
  inboundGreeting: clearable(templateText(AGENT_LIMITS.opening)),
  voiceScope: clearable(text(AGENT_LIMITS.voiceScope)),
  voiceTone: z.enum(['calm', 'warm', 'professional']).nullable(),
  aiDisclosure: clearable(text(AGENT_LIMITS.aiDisclosure)),
  inboundVoicePrompt: clearable(templateText(AGENT_LIMITS.voicePrompt)),
  integrationIds: nameList,
  disabledToolNames: nameList,
};

export const agentSettingsSchema = z.object(settingsFields).partial().meta({ id: 'AgentSettings' });
export type AgentSettings = z.output<typeof agentSettingsSchema>;

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
  body: agentSettingsSchema,
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
  description: 'Repeat with `skip` increased by `limit` until a page returns fewer than `limit` items.',
  query: z.object({
    limit: queryInteger({ min: 1, max: 100, default: 50 }),
    skip: queryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER, default: 0 }),
  }),
  response: enveloped(z.array(agentSchema)),
  status: 200,
});

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
    .object({ ...identityFields, inboundPrompt: clearable(templateText(AGENT_LIMITS.prompt)) })
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
