import { z } from 'zod';
import { readTemplate } from '#lib/engine/prompt/template.ts';
import { requiredText, text, trimmedText } from '#lib/http/schemas.ts';
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

/** The fields of the voice card: writing one by hand ends its derivation. */
export const CARD_FIELDS = [
  'personaName',
  'businessName',
  'inboundGreeting',
  'voiceScope',
  'voiceTone',
  'aiDisclosure',
] as const;

/** What a request may write to a setting, and how answers show it. */
const flag = () => ({ write: z.boolean(), read: z.boolean() });
const choice = <const Values extends readonly [string, ...string[]]>(values: Values) => ({
  write: z.enum(values),
  read: z.enum(values),
});
const clearableText = <Schema extends z.ZodType<string>>(schema: Schema) => ({
  write: clearable(schema),
  read: z.string().nullable(),
});
const names = () => ({
  write: z
    .array(requiredText(AGENT_LIMITS.listItem))
    .max(AGENT_LIMITS.listItems, `must have at most ${AGENT_LIMITS.listItems} entries`),
  read: z.array(z.string()),
});

const LANGUAGE_CODE = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;

const transferNumber = z
  .string()
  .max(100, 'must be at most 100 characters')
  .refine(
    (value) => value.trim() === '' || WORLDWIDE_NUMBER_PATTERN.test(value),
    'must be a phone number such as +15550100009',
  );
const languageCode = z
  .string()
  .max(35, 'must be at most 35 characters')
  .refine(
    (value) => value.trim() === '' || LANGUAGE_CODE.test(value),
    'must be a language code such as en-US',
  );
const tone = choice(['calm', 'warm', 'professional']);

/**
 * The settings of an agent (contract, PUT /agents/{agentId}/settings), each as the column of its name keeps it. The
 * API's body and answer, the provision file, the dashboard's form and the API's document follow from this list.
 */
const SETTINGS = {
  hasCallTransfer: flag(),
  hasEndCall: flag(),
  transferCallerId: choice(['human', 'agent']),
  transferMode: choice(['cold', 'warm']),
  hasAutoInboundTransfer: flag(),
  inboundTransferNumber: clearableText(transferNumber),
  isMultilingual: flag(),
  hasBargeIn: flag(),
  hasPostConversationWebhook: flag(),
  postConversationWebhookUrl: {
    write: clearable(text(AGENT_LIMITS.webhookUrl)).describe('https; blank uses the workspace URL'),
    read: z.string().nullable(),
  },
  hasHints: flag(),
  hints: {
    write: clearable(text(AGENT_LIMITS.hints)).describe(
      'Comma-separated words that the transcription should expect',
    ),
    read: z.string().nullable(),
  },
  hasLanguage: flag(),
  language: clearableText(languageCode),
  voiceId: clearableText(text(AGENT_LIMITS.voiceId)),
  personaName: clearableText(trimmedText(AGENT_LIMITS.personaName)),
  businessName: {
    write: clearable(trimmedText(AGENT_LIMITS.businessName)),
    read: z.string().nullable().describe('Spoken as the workspace name when null'),
  },
  inboundGreeting: clearableText(templateText(AGENT_LIMITS.opening)),
  voiceScope: clearableText(text(AGENT_LIMITS.voiceScope)),
  voiceTone: { write: tone.write.nullable(), read: tone.read.nullable() },
  aiDisclosure: clearableText(text(AGENT_LIMITS.aiDisclosure)),
  inboundVoicePrompt: clearableText(templateText(AGENT_LIMITS.voicePrompt)),
  inboundSinglePrompt: {
    write: z
      .null('can only be null: a single prompt is written in the dashboard')
      .describe(
        'null stops using the single prompt and leaves inboundPrompt and inboundVoicePrompt as they are',
      ),
    read: z.string().nullable(),
  },
  integrationIds: names(),
  disabledToolNames: names(),
};

type Shape<Side extends 'write' | 'read'> = {
  [Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name][Side];
};

function shapeOf<Side extends 'write' | 'read'>(side: Side): Shape<Side> {
  const entries = Object.entries(SETTINGS).map(([name, setting]) => [name, setting[side]]);
  return Object.fromEntries(entries) as Shape<Side>;
}

/** The settings as an agent's answer shows them. */
export const settingsShape = shapeOf('read');

/** A change of settings: what is not sent stays. */
export const agentSettingsSchema = z.object(shapeOf('write')).partial().meta({ id: 'AgentSettings' });
export type AgentSettings = z.output<typeof agentSettingsSchema>;

/** The settings without the texts of prompt and voice card, which have pages of their own. */
export const behaviourSettingsSchema = agentSettingsSchema.omit({
  personaName: true,
  businessName: true,
  inboundGreeting: true,
  voiceScope: true,
  voiceTone: true,
  aiDisclosure: true,
  inboundVoicePrompt: true,
  inboundSinglePrompt: true,
});
