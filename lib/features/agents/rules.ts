import { type DerivedCard, deriveCardByRules } from '#lib/engine/prompt/card-rules.ts';
import { languageOf } from '#lib/engine/prompt/render.ts';
import { languageRefusal } from '#lib/engine/prompt/spoken-language.ts';
import { readSinglePrompt } from '#lib/engine/prompt/single-prompt.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { hasRole } from '#lib/auth/rules.ts';
import { derivedOpening, editCard, namesThatHold } from '#lib/engine/prompt/written-card.ts';
import { AppError, validationError } from '#lib/errors.ts';
import type { AgentView } from './contract.ts';
import { AGENT_LIMITS, type AgentSettings, CARD_FIELDS } from './settings/contract.ts';
import type { AgentListItem, AgentPatch } from './dashboard/contract.ts';
import type { AgentFigures } from './belongings/repository.ts';
import type { AgentRow } from './repository.ts';

/** The columns a request may change. */
export type AgentChange = Partial<
  Omit<AgentRow, 'id' | 'workspaceId' | 'createdAt' | 'updatedAt' | 'deletedAt' | 'versionId'>
>;

/** The derived ones of them that may give a name, and then follow it. */
const NAMED_LINES = ['inboundGreeting', 'voiceScope', 'aiDisclosure'] as const;

type Card = Pick<AgentRow, (typeof CARD_FIELDS)[number] | 'writtenCardFields'>;

export function agentView(row: AgentRow, phoneNumberId: string | null, workspaceName: string): AgentView {
  const {
    workspaceId: _workspaceId,
    chatPrompt: _chatPrompt,
    writtenCardFields: _written,
    versionId: _versionId,
    resultFields: _resultFields,
    deletedAt: _deletedAt,
    ...shown
  } = row;
  return {
    ...shown,
    inboundGreeting: greetingOf(row, workspaceName),
    phoneNumberId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The greeting as the API answers it: what was written or cleared by hand, else the line derived from the names now. */
function greetingOf(row: AgentRow, workspaceName: string): string | null {
  const { inboundGreeting, writtenCardFields } = row;
  if (inboundGreeting !== null || writtenCardFields.includes('inboundGreeting')) return inboundGreeting;
  const prompt = cardSource(row);
  if (prompt.trim() === '') return null;
  const names = namesThatHold(row, { prompt, workspaceName });
  return derivedOpening({ prompt, direction: 'INBOUND', language: languageOf(row) }, names);
}

/** A derived card in the agent's own columns. */
export function cardColumns(card: DerivedCard): Card {
  return {
    personaName: card.personaName,
    businessName: card.businessName,
    inboundGreeting: card.opening,
    voiceScope: card.scope,
    voiceTone: card.tone,
    aiDisclosure: card.aiDisclosure,
    writtenCardFields: [],
  };
}

type CardSource = Pick<AgentRow, 'inboundPrompt' | 'inboundVoicePrompt' | 'inboundSinglePrompt'>;

/** What the card of an agent is derived from: its prompt, and with a single prompt the voice section as well. */
export function cardSource(agent: CardSource): string {
  const texts = [agent.inboundPrompt, agent.inboundSinglePrompt === null ? null : agent.inboundVoicePrompt];
  return texts.filter((text) => text !== null).join('\n\n');
}

type SinglePromptColumns = Pick<AgentRow, 'inboundSinglePrompt' | 'inboundPrompt' | 'inboundVoicePrompt'> &
  Partial<Pick<AgentRow, 'inboundGreeting' | 'writtenCardFields'>>;

/** The texts rendered from a single prompt; throws 400 where one is longer than the field that takes it. */
export function singlePromptColumns(source: string, before: BeforeSections): SinglePromptColumns {
  const { instructions, voicePrompt, opening } = readSinglePrompt(source);
  assertSectionsFit('inboundSinglePrompt', { voicePrompt, opening });
  return {
    inboundSinglePrompt: source,
    inboundPrompt: instructions === '' ? null : instructions,
    inboundVoicePrompt: voicePrompt,
    ...openingBySection('inboundGreeting', opening, before),
  };
}

/** A voice card before another single prompt is rendered. */
export type BeforeSections = {
  singlePrompt: string | null;
  voiceCardEdited: boolean;
  writtenCardFields: readonly string[];
};

/** An Opening section is a line written by hand; the line goes with the section, where no derivation replaces it. */
export function openingBySection<Field extends string>(
  field: Field,
  opening: string | null,
  before: BeforeSections,
): Partial<Record<Field, string | null>> & { writtenCardFields?: string[] } {
  const others = before.writtenCardFields.filter((written) => written !== field);
  const set = (line: string | null, writtenCardFields: string[]) =>
    ({ [field]: line, writtenCardFields }) as Record<Field, string | null> & { writtenCardFields: string[] };
  if (opening !== null) return set(opening, [...others, field]);
  const hadSection = before.singlePrompt !== null && readSinglePrompt(before.singlePrompt).opening !== null;
  return hadSection && before.voiceCardEdited ? set(null, others) : {};
}

export function assertSectionsFit(
  field: string,
  sections: { voicePrompt: string | null; opening: string | null },
): void {
  const tooLong = (section: string, text: string | null, max: number) =>
    text !== null && text.length > max
      ? [
          {
            field,
            reason: `the ${section} section must be at most ${max.toLocaleString('en-US')} characters`,
          },
        ]
      : [];
  const problems = [
    ...tooLong('Opening', sections.opening, AGENT_LIMITS.opening),
    ...tooLong('Voice', sections.voicePrompt, AGENT_LIMITS.voicePrompt),
  ];
  if (problems.length > 0) throw validationError(problems);
}

export function singlePromptActive(field: string, howToClear: string): AppError {
  return new AppError(
    'SINGLE_PROMPT_ACTIVE',
    `${field}: is rendered from the single prompt while one is set; ${howToClear}`,
    { details: { problems: [{ field, reason: 'is rendered from the single prompt while one is set' }] } },
  );
}

/** Throws 400 SINGLE_PROMPT_ACTIVE where `field` would be overwritten by the agent's single prompt. */
export function assertNotRendered(agent: AgentRow, field: string): void {
  if (agent.inboundSinglePrompt === null) return;
  throw singlePromptActive(
    field,
    `clear it first with PUT /agents/${agent.id}/settings {"inboundSinglePrompt": null}`,
  );
}

/** Where transcripts go: whoever sets these fields receives every conversation of the agent. */
const WEBHOOK_FIELDS = ['hasPostConversationWebhook', 'postConversationWebhookUrl'] as const;
type Changes = Record<string, { from: unknown; to: unknown }>;

/** Throws 403 where somebody below admin changes where transcripts go; API keys act as admins (docs/decisions/0086). */
export function assertMayRedirect(actor: Actor, changes: Changes): void {
  const field = WEBHOOK_FIELDS.find((each) => each in changes);
  if (field === undefined || hasRole(actor.role, 'admin')) return;
  throw new AppError(
    'FORBIDDEN',
    `${field}: changing where transcripts are sent needs the role admin or higher; yours is ${actor.role}`,
  );
}

/** Of an agent's changes, where calls and transcripts go: the audit log shows these with their values. */
export function redirections(changes: Changes): Changes {
  const shown: readonly string[] = [...WEBHOOK_FIELDS, 'hasAutoInboundTransfer', 'inboundTransferNumber'];
  return Object.fromEntries(Object.entries(changes).filter(([field]) => shown.includes(field)));
}

/** The columns that a settings request changes (contract, PUT /agents/{agentId}/settings). */
export function changeBySettings(
  agent: AgentRow,
  settings: AgentSettings,
  workspaceName: string,
): AgentChange {
  const { inboundVoicePrompt } = settings;
  const staysSingle = settings.inboundSinglePrompt === undefined;
  if (inboundVoicePrompt !== undefined && inboundVoicePrompt !== agent.inboundVoicePrompt && staysSingle) {
    assertNotRendered(agent, 'inboundVoicePrompt');
  }
  const sent = definedOnly(settings);
  const edited = editedCard({ card: agent, shown: shownCard(agent, workspaceName), sent, workspaceName });
  return { ...withoutFields(sent, CARD_FIELDS), ...edited };
}

/** The card as the API answers it: sending it back is no edit. */
export function shownCard(agent: AgentRow, workspaceName: string): Card {
  return { ...agent, inboundGreeting: greetingOf(agent, workspaceName) };
}

/** What a request makes of the card; a field that is not in `shown` was written by hand when it is sent. */
export function editedCard({
  card,
  workspaceName,
  ...edit
}: {
  card: Card & CardSource;
  shown: Partial<Card>;
  sent: Described<AgentChange>;
  workspaceName: string;
}): AgentChange {
  const prompt = cardSource(card);
  return editCard<(typeof CARD_FIELDS)[number]>({
    ...edit,
    card,
    fields: CARD_FIELDS,
    lines: NAMED_LINES,
    namesOf: (names) => namesThatHold(names, { prompt, workspaceName }),
  }) as AgentChange;
}

export function withoutFields<T extends object>(fields: T, names: readonly string[]): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name))) as Partial<T>;
}

/** The columns that a dashboard request changes, the card aside. */
export function changeByPatch(agent: AgentRow, { inboundSinglePrompt, ...rest }: AgentPatch): AgentChange {
  if (inboundSinglePrompt === undefined) return definedOnly(rest);
  const single =
    inboundSinglePrompt === null
      ? { inboundSinglePrompt: null }
      : singlePromptColumns(inboundSinglePrompt, { ...agent, singlePrompt: agent.inboundSinglePrompt });
  return { ...definedOnly(rest), ...single };
}

const NO_TEXTS = {
  inboundPrompt: null,
  inboundVoicePrompt: null,
  inboundSinglePrompt: null,
  voiceCardEdited: false,
  ...cardColumns({
    personaName: null,
    businessName: null,
    opening: null,
    scope: null,
    tone: null,
    aiDisclosure: null,
  }),
};

/**
 * The columns of an agent that a provision file describes: the single prompt rendered, and the card derived by the
 * rules when its text is new, unless the card counts as edited. What the file says of the card wins. Pure, so that a
 * second start with the same file changes nothing and no start waits for a model.
 */
export function provisionedColumns(
  existing: AgentRow | undefined,
  wanted: Described<AgentChange>,
  workspaceName: string,
): AgentChange {
  const merged = { ...NO_TEXTS, ...existing, ...definedOnly(withoutFields(wanted, CARD_FIELDS)) };
  const render = (card: typeof merged) =>
    card.inboundSinglePrompt === null
      ? {}
      : singlePromptColumns(card.inboundSinglePrompt, { ...card, singlePrompt: null });
  const texts = { ...merged, ...withoutFields(render(merged), ['inboundGreeting', 'writtenCardFields']) };
  const isNew = existing === undefined || cardSource(texts) !== cardSource(existing);
  const derived = merged.voiceCardEdited || !isNew ? {} : cardColumns(deriveCardByRules(cardSource(texts)));
  const said = merged.voiceCardEdited ? definedOnly(wanted) : withoutNulls(definedOnly(wanted), CARD_FIELDS);
  const card = { ...texts, ...derived };
  const { voiceCardEdited: _, ...edited } = editedCard({ card, shown: {}, sent: said, workspaceName });
  return { ...derived, ...said, ...edited, ...render({ ...card, ...edited }) };
}

/** A card field that is null in a file is one the file does not know. */
export function withoutNulls<T extends object>(fields: T, names: readonly string[]): T {
  const kept = Object.entries(fields).filter(([name, value]) => value !== null || !names.includes(name));
  return Object.fromEntries(kept) as T;
}

/** Fields of a file: an absent one may be there as undefined. */
export type Described<T> = { [K in keyof T]?: T[K] | undefined };

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Fields that were sent: zod leaves the others out or undefined. */
export function definedOnly<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}

/** "Copy of Front desk", within the bound of a name. */
export function copyName(name: string): string {
  return `Copy of ${name}`.slice(0, AGENT_LIMITS.name).trimEnd();
}

/** An agent as the dashboard's list shows it; without a language model, with what keeps it from being called. */
export function listItem(
  row: AgentRow,
  figures: AgentFigures | undefined,
  hasLanguageModel: boolean,
): AgentListItem {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    isActive: row.isActive,
    personaName: row.personaName,
    hasInboundPrompt: row.inboundPrompt !== null,
    languageRefusal: hasLanguageModel
      ? null
      : languageRefusal({ language: languageOf(row), text: row.inboundPrompt ?? '' }),
    outboundPromptCount: figures?.outboundPromptCount ?? 0,
    knowledgeBaseCount: figures?.knowledgeBaseCount ?? 0,
    phoneNumbers: figures?.phoneNumbers ?? [],
    lastCallAt: figures?.lastCallAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
