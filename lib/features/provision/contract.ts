import { widgetSettings } from '#lib/features/chats/widget/contract.ts';
import { z } from 'zod';
import { ROLES } from '#lib/auth/actor.ts';
import {
  AGENT_LIMITS,
  agentSettingsSchema,
  clearable,
  templateText,
} from '#lib/features/agents/settings/contract.ts';
import { resultFields } from '#lib/features/agents/results/contract.ts';
import { provisionedIntegration } from '#lib/features/integrations/provisioned/contract.ts';
import { newOptOut } from '#lib/features/opt-outs/contract.ts';
import { readNumber } from '#lib/features/opt-outs/rules.ts';
import { PROMPT_LIMITS, retryRule } from '#lib/features/prompts/contract.ts';
import { tagName } from '#lib/features/tags/contract.ts';
import { workspaceSettings } from '#lib/features/workspaces/contract.ts';
import { pathId, requiredText, text, timestamp, trimmedText } from '#lib/http/schemas.ts';
import { phoneNumberText } from '#lib/phone-number-schemas.ts';
import { NUMBER_CARRIERS } from '#lib/ports/carrier-kinds.ts';

/** Each is looked at at every start. */
const MOST_OPT_OUTS = 1_000;

const id = pathId.optional();
/** Says that the file wins over what people decided since: a removal, a password, a role, a secret (docs/decisions/0085). */
const reset = z.boolean().default(false);

const user = z.strictObject({
  email: z
    .email()
    .max(320)
    .transform((value) => value.toLowerCase()),
  name: requiredText(120).optional(),
  /** Without one the account exists but nobody can sign in to it yet. */
  password: z.string().min(8, 'must be at least 8 characters').max(200).optional(),
  role: z.enum(ROLES).default('member'),
  reset,
});

const apiKey = z.strictObject({
  name: requiredText(120),
  key: z.string().min(8, 'must be at least 8 characters').max(300),
  reset,
});

const outboundPrompt = z.strictObject({
  id,
  reset,
  title: requiredText(PROMPT_LIMITS.title),
  instructions: templateText(AGENT_LIMITS.prompt).refine((value) => value.trim() !== '', 'must not be empty'),
  opening: clearable(templateText(AGENT_LIMITS.opening)).optional(),
  personaName: clearable(trimmedText(AGENT_LIMITS.personaName)).optional(),
  businessName: clearable(trimmedText(AGENT_LIMITS.businessName)).optional(),
  scope: clearable(text(AGENT_LIMITS.voiceScope)).optional(),
  voiceCardEdited: z.boolean().optional(),
  voicePrompt: clearable(templateText(AGENT_LIMITS.voicePrompt)).optional(),
  singlePrompt: clearable(templateText(AGENT_LIMITS.prompt)).optional(),
  retry: retryRule.optional(),
});

const agent = z.strictObject({
  ...agentSettingsSchema.shape,
  id,
  reset,
  name: requiredText(AGENT_LIMITS.name),
  description: clearable(text(AGENT_LIMITS.description)).optional(),
  isActive: z.boolean().optional(),
  inboundPrompt: clearable(templateText(AGENT_LIMITS.prompt)).optional(),
  chatPrompt: clearable(text(AGENT_LIMITS.prompt)).optional(),
  inboundSinglePrompt: clearable(templateText(AGENT_LIMITS.prompt)).optional(),
  /** `id`: stands in the script tag. */
  chatWidget: widgetSettings
    .extend({
      id: z
        .string()
        .regex(/^[\w-]{8,100}$/)
        .optional(),
    })
    .optional(),
  /** What its conversations shall yield (docs/structured-results.md). */
  resultFields: resultFields.optional(),
  voiceCardEdited: z.boolean().optional(),
  /** The number's own `agentId` says the same; both may be given. */
  phoneNumberId: pathId.nullable().optional(),
  createdAt: timestamp.optional(),
  updatedAt: timestamp.optional(),
  outboundPrompts: z.array(outboundPrompt).default([]),
});

const phoneNumber = z.strictObject({
  id,
  reset,
  number: phoneNumberText,
  agentId: pathId.nullable().optional(),
  carrier: z.enum(NUMBER_CARRIERS).default('simulated'),
  maxConcurrentCalls: z.int().min(1).max(1000).optional(),
});

const knowledgeBase = z.strictObject({
  id,
  reset,
  name: requiredText(200),
  description: text(2000).default(''),
  agentIds: z.array(pathId).default([]),
});

/** With its country code: of which country the workspace's numbers are is known when the file is applied. */
const optOutNumber = z.string().transform((text, context) => {
  const read = readNumber(text, null);
  if (read.ok) return read.number;
  context.addIssue({ code: 'custom', message: read.fault });
  return z.NEVER;
});

const workspace = z.strictObject({
  id,
  name: requiredText(120),
  timeZone: workspaceSettings.shape.timeZone.optional(),
  country: workspaceSettings.shape.country.optional(),
  callingHours: workspaceSettings.shape.callingHours.optional(),
  hasRecordingAnnouncement: workspaceSettings.shape.hasRecordingAnnouncement.optional(),
  recordingAnnouncement: workspaceSettings.shape.recordingAnnouncement.optional(),
  conversationRetentionDays: workspaceSettings.shape.conversationRetentionDays.optional(),
  recordingRetentionDays: workspaceSettings.shape.recordingRetentionDays.optional(),
  monthlyUsageLimitMinutes: z.int().min(0).max(10_000_000).nullable().optional(),
  refusesIncomingAtLimit: workspaceSettings.shape.refusesIncomingAtLimit.optional(),
  maxConcurrentCalls: z.int().min(1).max(10_000).optional(),
  users: z.array(user).default([]),
  apiKeys: z.array(apiKey).default([]),
  webhook: z
    .strictObject({
      url: z.string().max(2048).nullable().optional(),
      secret: z.string().min(8).max(300).optional(),
      reset,
    })
    .optional(),
  optOuts: z
    .array(newOptOut.extend({ number: optOutNumber, reset }))
    .max(MOST_OPT_OUTS, 'must be at most 1,000: import longer lists')
    .default([]),
  customTags: z
    .array(
      z.strictObject({
        name: tagName,
        description: requiredText(500),
        reset,
      }),
    )
    .default([]),
  integrations: z.array(provisionedIntegration).default([]),
  agents: z.array(agent).default([]),
  phoneNumbers: z.array(phoneNumber).default([]),
  knowledgeBases: z.array(knowledgeBase).default([]),
});

/** The provision file (docs/configuration.md): unknown fields are refused, so that a typing error is not ignored. */
export const provisionFileSchema = z.strictObject({ workspaces: z.array(workspace) });
export type ProvisionFile = z.output<typeof provisionFileSchema>;
export type ProvisionWorkspace = ProvisionFile['workspaces'][number];
export type ProvisionAgent = ProvisionWorkspace['agents'][number];
