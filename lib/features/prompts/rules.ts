import { type DerivedCard, deriveCardByRules, type DeriveRequest } from '#lib/engine/prompt/card-rules.ts';
import { languageOf } from '#lib/engine/prompt/render.ts';
import { readSinglePrompt } from '#lib/engine/prompt/single-prompt.ts';
import { validationError } from '#lib/errors.ts';
import type { AgentRow } from '#lib/features/agents/repository.ts';
import {
  assertSectionsFit,
  definedOnly,
  type Described,
  singlePromptActive,
  withoutNulls,
} from '#lib/features/agents/rules.ts';
import type { OutboundPromptChange, OutboundPromptPatch, OutboundPromptView } from './contract.ts';
import type { PromptRow } from './repository.ts';

/** The columns a request may change. */
export type PromptChange = Partial<
  Omit<PromptRow, 'id' | 'workspaceId' | 'agentId' | 'createdAt' | 'updatedAt'>
>;

/** The fields of the card that the API writes: writing one by hand ends its derivation. */
const CARD_FIELDS = ['opening', 'personaName', 'businessName'] as const;
const RENDERED_FIELDS = ['instructions', 'voicePrompt', 'opening'] as const;

export function promptView(row: PromptRow): OutboundPromptView {
  const { workspaceId: _, ...shown } = row;
  return { ...shown, createdAt: row.createdAt.toISOString(), updatedAt: row.updatedAt.toISOString() };
}

type PromptCard = Pick<PromptRow, 'opening' | 'personaName' | 'businessName' | 'scope'>;

/** A derived card in the prompt's own columns; tone and disclosure are the agent's. */
export function cardColumns({ opening, personaName, businessName, scope }: DerivedCard): PromptCard {
  return { opening, personaName, businessName, scope };
}

/** Whether a request writes a field of the card. In a new prompt, null means "not given". */
export function editsCard(fields: Partial<PromptCard>): boolean {
  return CARD_FIELDS.some((field) => fields[field] !== undefined);
}

/** Sending back what was read is no edit. */
function changesCard(prompt: PromptRow, columns: PromptChange): boolean {
  return CARD_FIELDS.some((field) => columns[field] !== undefined && columns[field] !== prompt[field]);
}

type CardSource = Pick<PromptRow, 'instructions' | 'voicePrompt' | 'singlePrompt'>;
/** What of its agent a prompt's card falls back to. */
export type CardOwner = Pick<AgentRow, 'personaName' | 'businessName' | 'hasLanguage' | 'language'>;

/** What the card of a prompt is derived from: the instructions, and with a single prompt the voice section as well. */
export function deriveRequestFor(prompt: CardSource, agent: CardOwner, workspaceName: string): DeriveRequest {
  const texts = [prompt.instructions, prompt.singlePrompt === null ? null : prompt.voicePrompt];
  return {
    text: texts.filter((text) => text !== null).join('\n\n'),
    direction: 'OUTBOUND',
    language: languageOf(agent),
    fallback: { personaName: agent.personaName, businessName: agent.businessName ?? workspaceName },
  };
}

type SinglePromptColumns = Pick<PromptRow, 'singlePrompt' | 'instructions' | 'voicePrompt'> & {
  /** Only where the single prompt has an Opening section. */
  opening?: string;
};

/** The texts rendered from a single prompt; throws 400 where one is missing or longer than its field. */
export function singlePromptColumns(source: string): SinglePromptColumns {
  const { instructions, voicePrompt, opening } = readSinglePrompt(source);
  assertSectionsFit('singlePrompt', { voicePrompt, opening });
  if (instructions === '')
    throw validationError([
      { field: 'singlePrompt', reason: 'must have text outside its Opening and Voice sections' },
    ]);
  return { singlePrompt: source, instructions, voicePrompt, ...(opening === null ? {} : { opening }) };
}

/**
 * The columns that a request changes (contract, PUT …/outbound-prompts/{promptId}). Throws 400 SINGLE_PROMPT_ACTIVE
 * where it writes a text that is rendered from a single prompt which stays.
 */
export function changeByRequest(prompt: PromptRow, change: OutboundPromptChange): PromptChange {
  const columns = definedOnly(change);
  const isRendered = prompt.singlePrompt !== null && change.singlePrompt === undefined;
  const blocked = RENDERED_FIELDS.find(
    (field) => columns[field] !== undefined && columns[field] !== prompt[field],
  );
  if (isRendered && blocked !== undefined) {
    throw singlePromptActive(
      blocked,
      `clear it first by sending {"singlePrompt": null} to PUT /agents/${prompt.agentId}/outbound-prompts/${prompt.id}`,
    );
  }
  return { ...columns, ...(changesCard(prompt, columns) ? { voiceCardEdited: true } : {}) };
}

/** The columns that a dashboard request changes, the derived card aside. */
export function changeByPatch({ singlePrompt, scope }: OutboundPromptPatch): PromptChange {
  return {
    ...(scope === undefined ? {} : { scope, voiceCardEdited: true }),
    ...(singlePrompt === undefined
      ? {}
      : singlePrompt === null
        ? { singlePrompt }
        : singlePromptColumns(singlePrompt)),
  };
}

type ProvisionedPrompt = Described<PromptChange> & { instructions: string };

/** The columns of a prompt that a provision file describes; the counterpart of the agent's. */
export function provisionedColumns(
  existing: PromptRow | undefined,
  wanted: ProvisionedPrompt,
  agent: CardOwner,
  workspaceName: string,
): ProvisionedPrompt {
  const merged = {
    voicePrompt: null,
    singlePrompt: null,
    voiceCardEdited: false,
    ...existing,
    ...definedOnly(wanted),
  };
  const rendered = merged.singlePrompt === null ? {} : singlePromptColumns(merged.singlePrompt);
  const source = { ...merged, instructions: wanted.instructions, ...rendered };
  const request = deriveRequestFor(source, agent, workspaceName);
  const isNew =
    existing === undefined || request.text !== deriveRequestFor(existing, agent, workspaceName).text;
  const derived = merged.voiceCardEdited || !isNew ? {} : cardColumns(deriveCardByRules(request));
  const said = merged.voiceCardEdited
    ? definedOnly(wanted)
    : withoutNulls(definedOnly(wanted), [...CARD_FIELDS, 'scope']);
  return { ...derived, ...said, instructions: source.instructions, ...rendered };
}
