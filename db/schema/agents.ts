import { isNull } from 'drizzle-orm';
import { boolean, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { ResultField } from '#lib/features/agents/results/rules.ts';
import { NO_RETRY, type RetryRule } from '#lib/features/prompts/retry/rules.ts';
import { createdAt, dateTime, updatedAt } from './columns.ts';
import { workspaces } from './workspaces.ts';

export const agents = pgTable(
  'agents',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    name: text('name').notNull(),
    description: text('description'),
    isActive: boolean('is_active').notNull().default(true),
    inboundPrompt: text('inbound_prompt'),
    chatPrompt: text('chat_prompt'),
    hasCallTransfer: boolean('has_call_transfer').notNull().default(false),
    hasEndCall: boolean('has_end_call').notNull().default(true),
    transferCallerId: text('transfer_caller_id', { enum: ['human', 'agent'] })
      .notNull()
      .default('agent'),
    /** `warm`: the agent talks to the colleague first. */
    transferMode: text('transfer_mode', { enum: ['cold', 'warm'] })
      .notNull()
      .default('cold'),
    hasAutoInboundTransfer: boolean('has_auto_inbound_transfer').notNull().default(false),
    inboundTransferNumber: text('inbound_transfer_number'),
    isMultilingual: boolean('is_multilingual').notNull().default(false),
    hasBargeIn: boolean('has_barge_in').notNull().default(true),
    hasPostConversationWebhook: boolean('has_post_conversation_webhook').notNull().default(false),
    postConversationWebhookUrl: text('post_conversation_webhook_url'),
    hasHints: boolean('has_hints').notNull().default(false),
    hints: text('hints'),
    hasLanguage: boolean('has_language').notNull().default(false),
    language: text('language'),
    voiceId: text('voice_id'),
    personaName: text('persona_name'),
    businessName: text('business_name'),
    inboundGreeting: text('inbound_greeting'),
    voiceScope: text('voice_scope'),
    voiceTone: text('voice_tone', { enum: ['calm', 'warm', 'professional'] }),
    aiDisclosure: text('ai_disclosure'),
    voiceCardEdited: boolean('voice_card_edited').notNull().default(false),
    /** The fields of the card that were written by hand, by their names; the others follow the prompt and the names. */
    writtenCardFields: text('written_card_fields').array().notNull().default([]),
    inboundVoicePrompt: text('inbound_voice_prompt'),
    inboundSinglePrompt: text('inbound_single_prompt'),
    integrationIds: text('integration_ids').array().notNull().default([]),
    disabledToolNames: text('disabled_tool_names').array().notNull().default([]),
    /** What its conversations shall yield (docs/structured-results.md). */
    resultFields: jsonb('result_fields').$type<ResultField[]>().notNull().default([]),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /**
     * The version that holds what stands here and in the outbound prompts. A trigger takes it away with every change of
     * either (db/functions.sql), so what changes them without a new version leaves null, and the next call writes one.
     */
    versionId: text('version_id'),
    /** A deleted agent stays as a row without texts: its conversations show its name, its last calls still end. */
    deletedAt: dateTime('deleted_at'),
  },
  (table) => [index('agents_workspace').on(table.workspaceId, table.createdAt)],
);

/** What every look-up of an agent asks besides its id, except those for calls it has held. */
export const notDeleted = isNull(agents.deletedAt);

export const outboundPrompts = pgTable(
  'outbound_prompts',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    agentId: text('agent_id')
      .notNull()
      .references(() => agents.id, { onDelete: 'cascade' }),
    title: text('title').notNull(),
    instructions: text('instructions').notNull(),
    opening: text('opening'),
    personaName: text('persona_name'),
    businessName: text('business_name'),
    scope: text('scope'),
    voiceCardEdited: boolean('voice_card_edited').notNull().default(false),
    /** The fields of the card that were written by hand, by their names; the others follow the prompt and the names. */
    writtenCardFields: text('written_card_fields').array().notNull().default([]),
    voicePrompt: text('voice_prompt'),
    singlePrompt: text('single_prompt'),
    /** Whether a person who was busy or did not answer is tried again, as a call of its own (docs/law-and-manners.md). */
    retry: jsonb('retry').$type<RetryRule>().notNull().default(NO_RETRY),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('outbound_prompts_agent').on(table.agentId, table.createdAt)],
);
