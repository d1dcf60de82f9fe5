import { type DerivedCard, deriveCardByRules } from '#lib/engine/prompt/card-rules.ts';
import { languageOf } from '#lib/engine/prompt/render.ts';
import { readSinglePrompt } from '#lib/engine/prompt/single-prompt.ts';
import { derivedOpening, editCard, namesThatHold } from '#lib/engine/prompt/written-card.ts';
import { validationError } from '#lib/errors.ts';
import type { AgentRow } from '#lib/features/agents/repository.ts';
import {
  assertSectionsFit,
  type BeforeSections,
  definedOnly,
  type Described,
  openingBySection,
  singlePromptActive,
  withoutFields,
  withoutNulls,
} from '#lib/features/agents/rules.ts';
import type { OutboundPromptChange, OutboundPromptPatch, OutboundPromptView } from './contract.ts';
import type { PromptRow } from './repository.ts';

/** The columns a request may change. */
export type PromptChange = Partial<
  Omit<PromptRow, 'id' | 'workspaceId' | 'agentId' | 'createdAt' | 'updatedAt'>
>;

/** The fields of the card, of which the API writes all but the scope: writing one by hand ends its derivation. */
const CARD_FIELDS = ['opening', 'personaName', 'businessName', 'scope'] as const;
/** The derived ones of them that may give a name, and then follow it. */
const NAMED_LINES = ['opening', 'scope'] as const;
const RENDERED_FIELDS = ['instructions', 'voicePrompt', 'opening'] as const;

/** What of its agent a prompt's card falls back to. */
export type CardOwner = Pick<AgentRow, 'personaName' | 'businessName' | 'hasLanguage' | 'language'>;
/** Where a prompt stands: what its card leaves open comes from here. */
export type PromptContext = { agent: CardOwner; workspaceName: string };

export function promptView(row: PromptRow, context: PromptContext): OutboundPromptView {
  const { workspaceId: _, writtenCardFields: _written, retry: _retry, ...shown } = row;
  return {
    ...shown,
    opening: openingOf(row, context),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

type PromptCard = Pick<PromptRow, (typeof CARD_FIELDS)[number] | 'writtenCardFields'>;
type CardSource = Pick<PromptRow, 'instructions' | 'voicePrompt' | 'singlePrompt'>;

/** The opening as the API answers it: what was written or cleared by hand, else the line derived from the names now. */
function openingOf(prompt: PromptCard & CardSource, { agent, workspaceName }: PromptContext): string | null {
  const { opening, writtenCardFields } = prompt;
  if (opening !== null || writtenCardFields.includes('opening')) return opening;
  const source = cardSource(prompt);
  const names = namesThatHold(prompt, { owner: agent, prompt: source, workspaceName });
  return derivedOpening({ prompt: source, direction: 'OUTBOUND', language: languageOf(agent) }, names);
}

/** A derived card in the prompt's own columns; tone and disclosure are the agent's. */
export function cardColumns({ opening, personaName, businessName, scope }: DerivedCard): PromptCard {
  return { opening, personaName, businessName, scope, writtenCardFields: [] };
}

/** What the card of a prompt is derived from: the instructions, and with a single prompt the voice section as well. */
export function cardSource(prompt: CardSource): string {
  const texts = [prompt.instructions, prompt.singlePrompt === null ? null : prompt.voicePrompt];
  return texts.filter((text) => text !== null).join('\n\n');
}

/** The card as the API answers it: sending it back is no edit. */
export function shownCard(prompt: PromptCard & CardSource, context: PromptContext): PromptCard {
  return { ...prompt, opening: openingOf(prompt, context) };
}

/** What a request makes of the card; without `shown` every field that is sent was written by hand. */
export function editedCard(
  card: PromptCard & CardSource,
  sent: Partial<Described<PromptCard>>,
  { agent, workspaceName }: PromptContext,
  shown: Partial<PromptCard> = {},
): PromptChange {
  const prompt = cardSource(card);
  return editCard<(typeof CARD_FIELDS)[number]>({
    card,
    shown,
    sent,
    fields: CARD_FIELDS,
    lines: NAMED_LINES,
    namesOf: (names) => namesThatHold(names, { owner: agent, prompt, workspaceName }),
  });
}

/** The columns of a new prompt: its card derived, and what was given of it by hand. In a new prompt, null is "not given". */
export function newPromptColumns(
  input: Pick<PromptRow, 'title' | 'instructions'> & Described<PromptChange>,
  derived: DerivedCard,
  context: PromptContext,
): Pick<PromptRow, 'title' | 'instructions' | 'voicePrompt'> & PromptCard & { voiceCardEdited: boolean } {
  const { title, instructions } = input;
  const columns = {
    ...cardColumns(derived),
    title,
    instructions,
    voicePrompt: input.voicePrompt ?? null,
    voiceCardEdited: false,
  };
  const given = withoutNulls(definedOnly(input), CARD_FIELDS);
  return { ...columns, ...editedCard({ ...columns, singlePrompt: null }, given, context) };
}

type SinglePromptColumns = Pick<PromptRow, 'singlePrompt' | 'instructions' | 'voicePrompt'> &
  Partial<Pick<PromptRow, 'opening' | 'writtenCardFields'>>;

/** The texts rendered from a single prompt; throws 400 where one is missing or longer than its field. */
export function singlePromptColumns(source: string, before: BeforeSections): SinglePromptColumns {
  const { instructions, voicePrompt, opening } = readSinglePrompt(source);
  assertSectionsFit('singlePrompt', { voicePrompt, opening });
  if (instructions === '')
    throw validationError([
      { field: 'singlePrompt', reason: 'must have text outside its Opening and Voice sections' },
    ]);
  return { singlePrompt: source, instructions, voicePrompt, ...openingBySection('opening', opening, before) };
}

/**
 * The columns that a request changes (contract, PUT …/outbound-prompts/{promptId}). Throws 400 SINGLE_PROMPT_ACTIVE
 * where it writes a text that is rendered from a single prompt which stays. `derived`: the card as the request's new
 * instructions derive it, on which the request's own fields are written.
 */
export function changeByRequest(
  prompt: PromptRow,
  change: OutboundPromptChange,
  context: PromptContext,
  derived: Partial<PromptCard> = {},
): PromptChange {
  const sent = definedOnly(change);
  const shown: PromptRow = { ...prompt, ...shownCard(prompt, context) };
  const isRendered = prompt.singlePrompt !== null && change.singlePrompt === undefined;
  const blocked = RENDERED_FIELDS.find((field) => sent[field] !== undefined && sent[field] !== shown[field]);
  if (isRendered && blocked !== undefined) {
    throw singlePromptActive(
      blocked,
      `clear it first by sending {"singlePrompt": null} to PUT /agents/${prompt.agentId}/outbound-prompts/${prompt.id}`,
    );
  }
  const texts = withoutFields(sent, CARD_FIELDS);
  const card = { ...prompt, ...texts, ...derived };
  return { ...texts, ...derived, ...editedCard(card, sent, context, shown) };
}

/** The columns that a dashboard request changes, on the card as it will be. */
export function changeByPatch(
  prompt: PromptRow,
  { singlePrompt, scope, retry }: OutboundPromptPatch,
  context: PromptContext,
): PromptChange {
  const edited = editedCard(prompt, { scope }, context, prompt);
  const before = { ...prompt, ...edited };
  return {
    ...edited,
    ...(retry === undefined ? {} : { retry }),
    ...(singlePrompt === undefined
      ? {}
      : singlePrompt === null
        ? { singlePrompt }
        : singlePromptColumns(singlePrompt, before)),
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
    ...cardColumns(NOTHING_DERIVED),
    ...existing,
    ...definedOnly(withoutFields(wanted, CARD_FIELDS)),
    instructions: wanted.instructions,
  };
  const render = (card: typeof merged) =>
    card.singlePrompt === null ? {} : singlePromptColumns(card.singlePrompt, { ...card, singlePrompt: null });
  const texts = { ...merged, ...withoutFields(render(merged), ['opening', 'writtenCardFields']) };
  const isNew = existing === undefined || cardSource(texts) !== cardSource(existing);
  const derived = merged.voiceCardEdited || !isNew ? {} : cardColumns(deriveCardByRules(cardSource(texts)));
  const said = merged.voiceCardEdited ? definedOnly(wanted) : withoutNulls(definedOnly(wanted), CARD_FIELDS);
  const card = { ...texts, ...derived };
  const { voiceCardEdited: _, ...edited } = editedCard(card, said, { agent, workspaceName });
  return {
    ...derived,
    ...said,
    ...edited,
    instructions: texts.instructions,
    ...render({ ...card, ...edited }),
  };
}

const NOTHING_DERIVED = {
  personaName: null,
  businessName: null,
  opening: null,
  scope: null,
  tone: null,
  aiDisclosure: null,
};
