import { z } from 'zod';
import { withBase } from '#lib/http/base.ts';
import { defineOperation, LONG_TEXT_BYTES } from '#lib/http/operation.ts';
import { enveloped, text, timestamp } from '#lib/http/schemas.ts';
import { NUMBER_CARRIERS } from '#lib/ports/carrier-kinds.ts';
import { agentAnswer, agentSchema, identityFields, onAgent } from '../contract.ts';
import { versionAuthor, versionChange } from '#lib/features/versions/contract.ts';
import { AGENT_LIMITS, clearable, templateText } from '../settings/contract.ts';

const inDashboard = { ...onAgent, scope: 'member' } as const;
const changesAgent = { ...inDashboard, role: 'member', response: agentAnswer } as const;

const phoneNumberSchema = z.object({ id: z.string(), number: z.string(), carrier: z.enum(NUMBER_CARRIERS) });

const agentListItemSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  isActive: z.boolean(),
  personaName: z.string().nullable(),
  hasInboundPrompt: z.boolean(),
  languageRefusal: z.string().nullable().describe('Why it cannot talk without a language model'),
  outboundPromptCount: z.number().int(),
  knowledgeBaseCount: z.number().int(),
  phoneNumbers: z.array(phoneNumberSchema),
  lastCallAt: timestamp.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type AgentListItem = z.output<typeof agentListItemSchema>;

export const listAgentSummaries = defineOperation({
  id: 'listAgentSummaries',
  method: 'GET',
  path: '/dashboard/agents',
  scope: 'member',
  role: 'viewer',
  tag: 'Agents',
  summary: 'List the agents of the workspace, by name',
  query: z.object({
    search: text(200).optional().describe('Part of the name, the description or the persona'),
    active: z.enum(['true', 'false']).optional(),
  }),
  response: enveloped(z.array(agentListItemSchema)),
  status: 200,
});

/** Changes that are saved and not published. */
const draftSummary = z.object({
  versionId: z.string().describe('What it says, to be held and compared as any version'),
  publishedVersionId: z.string(),
  changes: z.array(versionChange).describe('What publishing it would change'),
  conflicts: z
    .array(z.object({ promptId: z.string().nullable(), field: z.string().nullable() }))
    .describe('Fields that were published with another value since the draft changed them'),
  author: versionAuthor,
  updatedAt: timestamp,
});
export type DraftSummary = z.output<typeof draftSummary>;

/** What the editor of one agent needs besides the outbound prompts. */
const agentDetailSchema = z.object({
  agent: agentSchema,
  writtenCardFields: z.array(z.string()).describe('Fields of the card that were written by hand'),
  chatPrompt: z.string().nullable(),
  workspaceName: z.string(),
  hasLanguageModel: z.boolean(),
  hasTranscription: z.boolean().describe('Whether the service understands what is said to it'),
  phoneNumbers: z.array(phoneNumberSchema),
  draft: draftSummary.nullable().describe('Where there is one, agent and texts are those of it'),
  split: z
    .object({
      id: z.string(),
      version: z.object({ id: z.string(), number: z.int().nullable() }),
      percent: z.int(),
    })
    .nullable()
    .describe('The version that has a share of the conversations, beside what is published'),
});
export type AgentDetail = z.output<typeof agentDetailSchema>;

export const getAgentDetail = defineOperation({
  ...inDashboard,
  id: 'getAgentDetail',
  method: 'GET',
  path: '/dashboard/agents/{agentId}',
  role: 'viewer',
  summary: 'Read an agent with its chat prompt and numbers',
  response: enveloped(agentDetailSchema),
});

/** Name, description, active or not, and the single prompt, which the API can only clear. */
export const updateAgent = defineOperation({
  ...changesAgent,
  id: 'updateAgent',
  method: 'PATCH',
  path: '/dashboard/agents/{agentId}',
  summary: 'Change what only the dashboard can change about an agent',
  maxBodyBytes: LONG_TEXT_BYTES,
  body: withBase(
    z
      .object({
        ...identityFields,
        isActive: z.boolean(),
        inboundSinglePrompt: clearable(templateText(AGENT_LIMITS.prompt)),
      })
      .partial(),
  ),
});
export type AgentPatch = Omit<z.output<typeof updateAgent.body>, 'base'>;

export const duplicateAgent = defineOperation({
  ...changesAgent,
  id: 'duplicateAgent',
  method: 'POST',
  path: '/dashboard/agents/{agentId}/duplicate',
  summary: 'Copy an agent with its prompts and knowledge bases, without its numbers',
  status: 201,
});

export const deriveAgentCard = defineOperation({
  ...changesAgent,
  id: 'deriveAgentCard',
  method: 'POST',
  path: '/dashboard/agents/{agentId}/derive-card',
  summary: 'Derive the voice card anew from the inbound prompt, dropping edits by hand',
});

export const agentDashboardOperations = [
  listAgentSummaries,
  getAgentDetail,
  updateAgent,
  duplicateAgent,
  deriveAgentCard,
] as const;
