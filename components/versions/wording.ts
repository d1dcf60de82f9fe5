import type { DraftSummary } from '#lib/features/agents/dashboard/contract.ts';
import type { VersionDetail, VersionSummary } from '#lib/features/publishing/history/contract.ts';

/** The fields of an agent, as its pages call them, in the order of the pages. */
const AGENT_FIELDS: Record<string, string> = {
  name: 'Name',
  description: 'Description',
  isActive: 'Active',
  inboundSinglePrompt: 'Single prompt',
  inboundPrompt: 'Prompt for inbound calls',
  inboundVoicePrompt: 'Voice prompt',
  personaName: 'Persona name',
  businessName: 'Business name',
  inboundGreeting: 'Greeting',
  voiceScope: 'Scope',
  voiceTone: 'Tone',
  aiDisclosure: 'When asked whether it is an AI',
  voiceCardEdited: 'Card edited by hand',
  writtenCardFields: 'Fields of the card written by hand',
  chatPrompt: 'Chat prompt',
  hasEndCall: 'End the call',
  hasBargeIn: 'Can be interrupted',
  hasCallTransfer: 'Transfer calls',
  hasAutoInboundTransfer: 'Transfer inbound calls at once',
  inboundTransferNumber: 'Transfer number',
  transferCallerId: 'Number shown on transfer',
  transferMode: 'How calls are handed over',
  isMultilingual: 'Multilingual',
  hasLanguage: 'Own language',
  language: 'Language code',
  voiceId: 'Voice',
  hasHints: 'Recognition hints',
  hints: 'Hints',
  hasPostConversationWebhook: 'Send the post-conversation webhook',
  postConversationWebhookUrl: 'Webhook URL of this agent',
  disabledToolNames: 'Tools switched off',
  integrationIds: 'Integrations',
};

const PROMPT_FIELDS: Record<string, string> = {
  title: 'Title',
  singlePrompt: 'Single prompt',
  instructions: 'Instructions',
  voicePrompt: 'Voice prompt',
  opening: 'Opening',
  personaName: 'Persona name',
  businessName: 'Business name',
  scope: 'Scope',
  voiceCardEdited: 'Card edited by hand',
  writtenCardFields: 'Fields of the card written by hand',
  retry: 'Further attempts',
};

export function fieldLabel(field: string, isOfPrompt: boolean): string {
  return (isOfPrompt ? PROMPT_FIELDS : AGENT_FIELDS)[field] ?? inWords(field);
}

/** `hasRecordingNotice` as "Has recording notice": a field that came later has a name too. */
function inWords(field: string): string {
  const words = field.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Values that are names in the API, as the pages of an agent call them. */
const VALUE_WORDS: Record<string, Record<string, string>> = {
  voiceTone: { calm: 'Calm', warm: 'Warm', professional: 'Professional' },
  transferMode: { cold: 'At once', warm: 'After a word with the colleague' },
  transferCallerId: { agent: 'The business number', human: 'The caller’s number' },
  writtenCardFields: { ...PROMPT_FIELDS, ...AGENT_FIELDS },
  retry: { no_answer: 'no answer' },
};

/** A value as a reader sees it; null where nothing is set. */
export function valueText(value: unknown, field = ''): string | null {
  const named = (each: unknown) => VALUE_WORDS[field]?.[String(each)] ?? String(each);
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'boolean') return value ? 'On' : 'Off';
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(named).join('\n');
  if (isRetryRule(value))
    return value.isOn
      ? `Up to ${value.attempts} calls, ${value.delayMinutes} minutes apart (${value.on.map(named).join(', ')})`
      : 'Off';
  return typeof value === 'string' ? named(value) : JSON.stringify(value, null, 2);
}

function isRetryRule(
  value: unknown,
): value is { isOn: boolean; attempts: number; delayMinutes: number; on: string[] } {
  return typeof value === 'object' && value !== null && 'isOn' in value && 'attempts' in value;
}

export type ComparedField = { name: string; label: string; before: string | null; after: string | null };
/** The agent itself, or one of its outbound prompts, in two versions. */
export type ComparedPart = {
  key: string;
  title: string;
  /** Of a prompt that only one of them has. */
  only: 'before' | 'after' | null;
  fields: ComparedField[];
};

/** Two versions side by side: the agent, then the prompts of the later one, then those that it no longer has. */
export function comparedParts(
  before: VersionDetail | null,
  after: VersionDetail,
  { isWhole }: { isWhole: boolean },
): ComparedPart[] {
  const fieldsOf = (
    one: Record<string, unknown> | null,
    other: Record<string, unknown> | null,
    of: boolean,
  ) =>
    orderedNames({ ...one, ...other }, of ? PROMPT_FIELDS : AGENT_FIELDS)
      .map((name) => ({
        name,
        label: fieldLabel(name, of),
        before: valueText(one?.[name], name),
        after: valueText(other?.[name], name),
      }))
      .filter((field) => (isWhole ? (field.before ?? field.after) !== null : field.before !== field.after));
  const earlier = new Map((before?.outboundPrompts ?? []).map((prompt) => [prompt.id, prompt]));
  const parts: ComparedPart[] = [
    { key: 'agent', title: 'Agent', only: null, fields: fieldsOf(before?.agent ?? null, after.agent, false) },
  ];
  for (const prompt of after.outboundPrompts) {
    const known = earlier.get(prompt.id);
    earlier.delete(prompt.id);
    const only = before !== null && known === undefined ? 'after' : null;
    const fields = fieldsOf(known?.fields ?? null, prompt.fields, true);
    parts.push({ key: prompt.id, title: `Outbound prompt “${prompt.title}”`, only, fields });
  }
  for (const prompt of earlier.values()) {
    const fields = fieldsOf(prompt.fields, null, true);
    parts.push({ key: prompt.id, title: `Outbound prompt “${prompt.title}”`, only: 'before', fields });
  }
  return parts.filter(({ fields }) => fields.length > 0);
}

function orderedNames(fields: object, labels: Record<string, string>): string[] {
  const known = Object.keys(labels).filter((name) => name in fields);
  return [...known, ...Object.keys(fields).filter((name) => !(name in labels))];
}

/** More names than these are counted. */
const NAMED = 4;

/** What a saved change did, in one sentence. */
export function changeSentence({ number, changes, restoredNumber }: VersionSummary): string {
  const parts = changeParts(changes);
  const told = parts.length > 0 ? parts.join('; ') : number === 1 ? 'the first version' : 'nothing';
  return capitalized(restoredNumber === null ? told : `restored version ${restoredNumber}: ${told}`);
}

/** What publishing a draft would do. */
export function changesSentence(changes: VersionSummary['changes']): string {
  const parts = changeParts(changes);
  return parts.length === 0 ? 'It changes nothing' : `Not published: ${parts.join('; ')}`;
}

/** Which fields of a draft were published with another value meanwhile. */
export function conflictSentence(conflicts: DraftSummary['conflicts']): string {
  const names = conflicts.map(({ promptId, field }) =>
    field === null ? 'an outbound prompt' : quietly(fieldLabel(field, promptId !== null)),
  );
  return `Published with another value since the draft changed it: ${[...new Set(names)].join(', ')}. Publishing the draft replaces that.`;
}

function capitalized(sentence: string): string {
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`;
}

function changeParts(changes: VersionSummary['changes']): string[] {
  return changes.map(({ promptId, title, kind, fields }) => {
    if (promptId === null) return `changed ${listed(fields, false)}`;
    if (kind === 'added') return `added the outbound prompt “${title}”`;
    if (kind === 'removed') return `deleted the outbound prompt “${title}”`;
    return `changed ${listed(fields, true)} of the outbound prompt “${title}”`;
  });
}

/** Fields that follow from others, and would only be in the way. */
const FOLLOWING = ['voiceCardEdited', 'writtenCardFields'];

function listed(fields: readonly string[], isOfPrompt: boolean): string {
  const labels = isOfPrompt ? PROMPT_FIELDS : AGENT_FIELDS;
  const ordered = orderedNames(Object.fromEntries(fields.map((field) => [field, true])), labels);
  const own = ordered.filter((field) => !FOLLOWING.includes(field));
  const names = (own.length > 0 ? own : ordered).map((field) => quietly(fieldLabel(field, isOfPrompt)));
  const shown = names.slice(0, NAMED);
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

function quietly(label: string): string {
  return label.charAt(0).toLowerCase() + label.slice(1);
}

export function versionName({ number }: Pick<VersionSummary, 'number'>): string {
  return number === null ? 'Draft' : `Version ${number}`;
}

export function authorName({ author }: Pick<VersionSummary, 'author'>): string {
  if (author.kind === 'unknown') return 'Unknown';
  return author.kind === 'api_key' ? `API key ${author.label ?? ''}`.trim() : (author.label ?? 'Callwright');
}
