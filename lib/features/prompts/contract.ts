import { z } from 'zod';
import { AGENT_LIMITS, clearable, templateText } from '#lib/features/agents/settings/contract.ts';
import { withBase } from '#lib/http/base.ts';
import { defineOperation, LONG_TEXT_BYTES, LOOK_UP_ERRORS } from '#lib/http/operation.ts';
import { enveloped, pathId, requiredText, text, timestamp, trimmedText } from '#lib/http/schemas.ts';
import { RETRIED_REASONS, RETRY_LIMITS } from './retry/rules.ts';

export const PROMPT_LIMITS = {
  title: 200,
  variables: 200,
  variableName: 200,
  variableValue: 10_000,
} as const;

/** Contract, Outbound prompt. */
export const outboundPromptSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    instructions: z.string(),
    opening: z.string().nullable(),
    personaName: z.string().nullable(),
    businessName: z.string().nullable(),
    scope: z.string().nullable(),
    voiceCardEdited: z.boolean(),
    voicePrompt: z.string().nullable(),
    singlePrompt: z.string().nullable(),
    agentId: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'OutboundPrompt' });
export type OutboundPromptView = z.output<typeof outboundPromptSchema>;

export const agentParams = z.object({ agentId: pathId });
const promptParams = z.object({ agentId: pathId, promptId: pathId });
const promptAnswer = enveloped(outboundPromptSchema);
const tag = 'Outbound prompts';
/** What the operations on one prompt have in common. */
const onPrompt = {
  scope: 'workspace',
  tag,
  params: promptParams,
  status: 200,
  errors: LOOK_UP_ERRORS,
} as const;

const requiredTemplate = (maxCharacters: number) =>
  templateText(maxCharacters).refine((value) => value.trim() !== '', 'must not be empty');

const writable = {
  title: requiredText(PROMPT_LIMITS.title),
  instructions: requiredTemplate(AGENT_LIMITS.prompt),
  opening: clearable(templateText(AGENT_LIMITS.opening)),
  personaName: clearable(trimmedText(AGENT_LIMITS.personaName)),
  businessName: clearable(trimmedText(AGENT_LIMITS.businessName)),
  voicePrompt: clearable(templateText(AGENT_LIMITS.voicePrompt)),
};

export const listOutboundPrompts = defineOperation({
  id: 'listOutboundPrompts',
  method: 'GET',
  path: '/agents/{agentId}/outbound-prompts',
  scope: 'workspace',
  role: 'viewer',
  tag,
  summary: "List an agent's outbound prompts, the default one first",
  params: agentParams,
  response: enveloped(z.array(outboundPromptSchema)),
  status: 200,
  errors: LOOK_UP_ERRORS,
});

export const listEditedPrompts = defineOperation({
  id: 'listEditedPrompts',
  method: 'GET',
  path: '/dashboard/agents/{agentId}/outbound-prompts',
  scope: 'member',
  role: 'viewer',
  tag,
  summary: 'List the outbound prompts that the editor shows: of the draft, where there is one',
  params: agentParams,
  response: enveloped(z.array(outboundPromptSchema)),
  status: 200,
  errors: LOOK_UP_ERRORS,
});

const EXAMPLE_PROMPT = {
  title: 'Reminder',
  instructions: 'Remind {{name}} of the check-up and offer a new date.',
};

export const createOutboundPrompt = defineOperation({
  id: 'createOutboundPrompt',
  method: 'POST',
  path: '/agents/{agentId}/outbound-prompts',
  scope: 'workspace',
  role: 'member',
  tag,
  summary: 'Create an outbound prompt',
  description:
    'What of opening, personaName and businessName is not given is derived from the instructions. Giving any of them sets voiceCardEdited.',
  params: agentParams,
  maxBodyBytes: LONG_TEXT_BYTES,
  body: z
    .object({
      title: writable.title,
      instructions: writable.instructions,
      opening: writable.opening.optional(),
      personaName: writable.personaName.optional(),
      businessName: writable.businessName.optional(),
      voicePrompt: writable.voicePrompt.optional(),
    })
    .meta({ id: 'NewOutboundPrompt' }),
  example: EXAMPLE_PROMPT,
  response: promptAnswer,
  status: 201,
  errors: LOOK_UP_ERRORS,
});
export type NewOutboundPrompt = z.output<typeof createOutboundPrompt.body>;

export const getOutboundPrompt = defineOperation({
  ...onPrompt,
  id: 'getOutboundPrompt',
  method: 'GET',
  path: '/agents/{agentId}/outbound-prompts/{promptId}',
  role: 'viewer',
  summary: 'Read an outbound prompt',
  response: promptAnswer,
});

export const putOutboundPrompt = defineOperation({
  ...onPrompt,
  id: 'putOutboundPrompt',
  method: 'PUT',
  path: '/agents/{agentId}/outbound-prompts/{promptId}',
  role: 'member',
  summary: 'Change an outbound prompt',
  description:
    'Only the fields sent change. Writing opening, personaName or businessName sets voiceCardEdited. While a single prompt is set, instructions, voicePrompt and opening answer 400 SINGLE_PROMPT_ACTIVE, unless the same request sets singlePrompt to null.',
  maxBodyBytes: LONG_TEXT_BYTES,
  body: withBase(
    z
      .object({
        ...writable,
        singlePrompt: z
          .null('can only be null: a single prompt is written in the dashboard')
          .describe(
            'null stops using the single prompt and leaves instructions, voicePrompt and opening as they are',
          ),
      })
      .partial()
      .meta({ id: 'OutboundPromptChange' }),
  ),
  example: { title: EXAMPLE_PROMPT.title },
  errors: [...LOOK_UP_ERRORS, 'SINGLE_PROMPT_ACTIVE'],
  response: promptAnswer,
});
export type OutboundPromptChange = Omit<z.output<typeof putOutboundPrompt.body>, 'base'>;

export const deleteOutboundPrompt = defineOperation({
  ...onPrompt,
  id: 'deleteOutboundPrompt',
  method: 'DELETE',
  path: '/agents/{agentId}/outbound-prompts/{promptId}',
  role: 'member',
  summary: 'Delete an outbound prompt; conversations held with it stay',
  response: enveloped(z.null()),
});

/** Whether a person who was not reached is called again. */
export const retryRule = z.strictObject({
  isOn: z.boolean(),
  attempts: z
    .int()
    .min(RETRY_LIMITS.minAttempts)
    .max(RETRY_LIMITS.maxAttempts)
    .describe('Calls to one person, the first one included'),
  delayMinutes: z.int().min(RETRY_LIMITS.minDelayMinutes).max(RETRY_LIMITS.maxDelayMinutes),
  on: z.array(z.enum(RETRIED_REASONS)).min(1, 'must have a reason').max(RETRIED_REASONS.length),
});

const outboundPromptDetailSchema = z.object({
  prompt: outboundPromptSchema,
  retry: retryRule.describe('Whether a person who was not reached is called again'),
  writtenCardFields: z
    .array(z.string())
    .describe('The fields of the voice card that were written by hand; the others are derived'),
});
export type OutboundPromptDetail = z.output<typeof outboundPromptDetailSchema>;

export const getOutboundPromptDetail = defineOperation({
  ...onPrompt,
  id: 'getOutboundPromptDetail',
  method: 'GET',
  path: '/dashboard/agents/{agentId}/outbound-prompts/{promptId}',
  scope: 'member',
  role: 'viewer',
  summary: 'Read an outbound prompt with what of its card was written by hand',
  response: enveloped(outboundPromptDetailSchema),
});

/** The dashboard's part of an outbound prompt: the single prompt and the scope, which the API only shows. */
export const updateOutboundPrompt = defineOperation({
  ...onPrompt,
  id: 'updateOutboundPrompt',
  method: 'PATCH',
  path: '/dashboard/agents/{agentId}/outbound-prompts/{promptId}',
  scope: 'member',
  role: 'member',
  summary: 'Change what only the dashboard can change about an outbound prompt',
  maxBodyBytes: LONG_TEXT_BYTES,
  body: withBase(
    z
      .object({
        singlePrompt: clearable(templateText(AGENT_LIMITS.prompt)),
        scope: clearable(text(AGENT_LIMITS.voiceScope)),
        retry: retryRule,
      })
      .partial(),
  ),
  response: promptAnswer,
});
export type OutboundPromptPatch = Omit<z.output<typeof updateOutboundPrompt.body>, 'base'>;

export const deriveOutboundPromptCard = defineOperation({
  ...onPrompt,
  id: 'deriveOutboundPromptCard',
  method: 'POST',
  path: '/dashboard/agents/{agentId}/outbound-prompts/{promptId}/derive-card',
  scope: 'member',
  role: 'member',
  summary: 'Derive opening, persona, business and scope anew from the instructions, dropping edits by hand',
  response: promptAnswer,
});

const catalogSchema = z.object({
  tools: z.array(z.object({ name: z.string(), description: z.string() })),
  voices: z.array(z.object({ id: z.string(), label: z.string(), language: z.string() })),
  integrations: z.array(z.object({ id: z.string(), label: z.string() })),
});

export type PromptCatalog = z.output<typeof catalogSchema>;

export const getPromptCatalog = defineOperation({
  id: 'getPromptCatalog',
  method: 'GET',
  path: '/dashboard/agents/catalog',
  scope: 'member',
  role: 'viewer',
  tag,
  summary: 'Tools, voices and integrations that exist, so that others can be marked as unknown',
  response: enveloped(catalogSchema),
  status: 200,
});

export const promptOperations = [
  listOutboundPrompts,
  listEditedPrompts,
  createOutboundPrompt,
  getOutboundPrompt,
  putOutboundPrompt,
  deleteOutboundPrompt,
  getOutboundPromptDetail,
  updateOutboundPrompt,
  deriveOutboundPromptCard,
  getPromptCatalog,
] as const;
