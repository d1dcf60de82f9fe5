import { z } from 'zod';
import { AGENT_LIMITS } from '#lib/features/agents/settings/contract.ts';
import { defineOperation, LONG_TEXT_BYTES } from '#lib/http/operation.ts';
import { enveloped, pathId, text } from '#lib/http/schemas.ts';
import { agentParams, PROMPT_LIMITS } from '../contract.ts';

const draftText = (maxCharacters: number) => text(maxCharacters).nullable().optional();
const draftFields = {
  personaName: draftText(AGENT_LIMITS.personaName),
  businessName: draftText(AGENT_LIMITS.businessName),
};

/** Unsaved fields win over the stored ones; what is left out is taken as stored. Faulty templates are welcome here. */
const inboundDraftSchema = z.object({
  ...draftFields,
  inboundPrompt: draftText(AGENT_LIMITS.prompt),
  inboundSinglePrompt: draftText(AGENT_LIMITS.prompt),
  inboundVoicePrompt: draftText(AGENT_LIMITS.voicePrompt),
  inboundGreeting: draftText(AGENT_LIMITS.opening),
  voiceScope: draftText(AGENT_LIMITS.voiceScope),
  voiceTone: z.enum(['calm', 'warm', 'professional']).nullable().optional(),
  aiDisclosure: draftText(AGENT_LIMITS.aiDisclosure),
});
const outboundDraftSchema = z.object({
  ...draftFields,
  title: text(PROMPT_LIMITS.title).optional(),
  instructions: text(AGENT_LIMITS.prompt).optional(),
  singlePrompt: draftText(AGENT_LIMITS.prompt),
  voicePrompt: draftText(AGENT_LIMITS.voicePrompt),
  opening: draftText(AGENT_LIMITS.opening),
  scope: draftText(AGENT_LIMITS.voiceScope),
});
export type InboundDraft = z.output<typeof inboundDraftSchema>;
export type OutboundDraft = z.output<typeof outboundDraftSchema>;

const variablesSchema = z
  .record(z.string().min(1).max(PROMPT_LIMITS.variableName), text(PROMPT_LIMITS.variableValue))
  .refine(
    (value) => Object.keys(value).length <= PROMPT_LIMITS.variables,
    `must have at most ${PROMPT_LIMITS.variables} entries`,
  );

const templateProblemSchema = z.object({
  field: z.string().describe('The draft field the fault is in'),
  line: z.number().int(),
  column: z.number().int(),
  /** Characters from the start of the text, for underlining: `start` inclusive, `end` exclusive. */
  start: z.number().int(),
  end: z.number().int(),
  message: z.string(),
});

const previewSchema = z.object({
  /** The first thing said, exactly. */
  opening: z.string(),
  /** The whole text that the language model gets. */
  instructions: z.string(),
  /** The part of it that says who speaks and how: rendered from the card, or the hand-written one. */
  voicePrompt: z.string(),
  voicePromptSource: z.enum(['card', 'hand-written', 'single prompt']),
  openingSource: z.enum(['voice prompt', 'opening', 'single prompt', 'derived']),
  /** Sentences of the opening that are left out, with what they lack. */
  leftOut: z.array(
    z.object({
      sentence: z.string().describe('As written, each missing value as {{name}}'),
      variables: z.array(z.string()),
    }),
  ),
  missingForOpening: z
    .array(z.string())
    .describe(
      'Variables without which the opening written by hand says nothing: `opening` is another line then',
    ),
  languageRefusal: z
    .string()
    .nullable()
    .describe('Why a call with these texts is refused: their language needs a language model'),
  /** The card as it will be, derived live from the draft where it was not edited by hand. */
  card: z.object({
    personaName: z.string().nullable(),
    businessName: z.string(),
    scope: z.string().nullable(),
    tone: z.enum(['calm', 'warm', 'professional']),
    aiDisclosure: z.string(),
  }),
  cardIsDerived: z.boolean(),
  /** Texts that a single prompt in the draft renders to, before variables; null without one. */
  rendered: z
    .object({ instructions: z.string(), voicePrompt: z.string().nullable(), opening: z.string().nullable() })
    .nullable(),
  variables: z.array(
    z.object({
      name: z.string(),
      /** Compared with a number somewhere. */
      isNumber: z.boolean(),
      state: z.enum(['given', 'missing', 'not a number']),
      usedIn: z.array(z.string()),
    }),
  ),
  /** Names in `variables` that no text uses. */
  unusedVariables: z.array(z.string()),
  problems: z.array(templateProblemSchema),
});
export type PromptPreview = z.output<typeof previewSchema>;

export const previewPrompt = defineOperation({
  id: 'previewPrompt',
  method: 'POST',
  path: '/dashboard/agents/{agentId}/preview',
  scope: 'member',
  role: 'viewer',
  tag: 'Outbound prompts',
  summary: 'Render unsaved texts as a call would hear and get them',
  params: agentParams,
  maxBodyBytes: LONG_TEXT_BYTES,
  body: z.discriminatedUnion('direction', [
    z.object({ direction: z.literal('INBOUND'), draft: inboundDraftSchema, variables: variablesSchema }),
    z.object({
      direction: z.literal('OUTBOUND'),
      promptId: pathId.nullable().describe('null for a prompt that is not saved yet'),
      draft: outboundDraftSchema,
      variables: variablesSchema,
    }),
  ]),
  response: enveloped(previewSchema),
  status: 200,
});
export type PreviewRequest = z.output<typeof previewPrompt.body>;

export const previewOperations = [previewPrompt] as const;
