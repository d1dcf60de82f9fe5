import { type DerivedCard, deriveCardByRules, type DeriveRequest } from '#lib/engine/prompt/card-rules.ts';
import { languageOf } from '#lib/engine/prompt/render.ts';
import { readSinglePrompt } from '#lib/engine/prompt/single-prompt.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { hasRole } from '#lib/auth/rules.ts';
import { AppError, validationError } from '#lib/errors.ts';
import { AGENT_LIMITS, type AgentSettings, type AgentView } from './contract.ts';
import type { AgentPatch } from './dashboard/contract.ts';
import type { AgentRow } from './repository.ts';

/** The columns a request may change. */
export type AgentChange = Partial<
  Omit<AgentRow, 'id' | 'workspaceId' | 'createdAt' | 'updatedAt' | 'deletedAt'>
>;

/** The fields of the voice card: writing one by hand ends its derivation. */
export const CARD_FIELDS = [
  'personaName',
  'businessName',
  'inboundGreeting',
  'voiceScope',
  'voiceTone',
  'aiDisclosure',
] as const;

export function agentView(row: AgentRow, phoneNumberId: string | null): AgentView {
  const { workspaceId: _workspaceId, chatPrompt: _chatPrompt, deletedAt: _deletedAt, ...shown } = row;
  return {
    ...shown,
    phoneNumberId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** A derived card in the agent's own columns. */
export function cardColumns(card: DerivedCard): Pick<AgentRow, (typeof CARD_FIELDS)[number]> {
  return {
    personaName: card.personaName,
    businessName: card.businessName,
    inboundGreeting: card.opening,
    voiceScope: card.scope,
    voiceTone: card.tone,
    aiDisclosure: card.aiDisclosure,
  };
}

type CardSource = Pick<
  AgentRow,
  'inboundPrompt' | 'inboundVoicePrompt' | 'inboundSinglePrompt' | 'hasLanguage' | 'language'
>;

/** What the card of an agent is derived from: its prompt, and with a single prompt the voice section as well. */
export function deriveRequestFor(agent: CardSource, workspaceName: string): DeriveRequest {
  const texts = [agent.inboundPrompt, agent.inboundSinglePrompt === null ? null : agent.inboundVoicePrompt];
  return {
    text: texts.filter((text) => text !== null).join('\n\n'),
    direction: 'INBOUND',
    language: languageOf(agent),
    fallback: { personaName: null, businessName: workspaceName },
  };
}

type SinglePromptColumns = Pick<AgentRow, 'inboundSinglePrompt' | 'inboundPrompt' | 'inboundVoicePrompt'> & {
  /** Only where the single prompt has an Opening section. */
  inboundGreeting?: string;
};

/** The texts rendered from a single prompt; throws 400 where one is longer than the field that takes it. */
export function singlePromptColumns(source: string): SinglePromptColumns {
  const { instructions, voicePrompt, opening } = readSinglePrompt(source);
  assertSectionsFit('inboundSinglePrompt', { voicePrompt, opening });
  return {
    inboundSinglePrompt: source,
    inboundPrompt: instructions === '' ? null : instructions,
    inboundVoicePrompt: voicePrompt,
    ...(opening === null ? {} : { inboundGreeting: opening }),
  };
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
export function changeBySettings(agent: AgentRow, settings: AgentSettings): AgentChange {
  const { inboundVoicePrompt } = settings;
  const staysSingle = settings.inboundSinglePrompt === undefined;
  if (inboundVoicePrompt !== undefined && inboundVoicePrompt !== agent.inboundVoicePrompt && staysSingle) {
    assertNotRendered(agent, 'inboundVoicePrompt');
  }
  const editsCard = CARD_FIELDS.some(
    (field) => settings[field] !== undefined && settings[field] !== agent[field],
  );
  return { ...definedOnly(settings), ...(editsCard ? { voiceCardEdited: true } : {}) };
}

/** The columns that a dashboard request changes, the card aside. */
export function changeByPatch({ inboundSinglePrompt, ...rest }: AgentPatch): AgentChange {
  if (inboundSinglePrompt === undefined) return definedOnly(rest);
  const single =
    inboundSinglePrompt === null ? { inboundSinglePrompt: null } : singlePromptColumns(inboundSinglePrompt);
  return { ...definedOnly(rest), ...single };
}

const NO_TEXTS = {
  inboundPrompt: null,
  inboundVoicePrompt: null,
  inboundSinglePrompt: null,
  hasLanguage: false,
  language: null,
  voiceCardEdited: false,
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
  const merged = { ...NO_TEXTS, ...existing, ...definedOnly(wanted) };
  const rendered = merged.inboundSinglePrompt === null ? {} : singlePromptColumns(merged.inboundSinglePrompt);
  const request = deriveRequestFor({ ...merged, ...rendered }, workspaceName);
  const isNew = existing === undefined || request.text !== deriveRequestFor(existing, workspaceName).text;
  const derived = merged.voiceCardEdited || !isNew ? {} : cardColumns(deriveCardByRules(request));
  const said = merged.voiceCardEdited ? definedOnly(wanted) : withoutNulls(definedOnly(wanted), CARD_FIELDS);
  return { ...derived, ...said, ...rendered };
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
