import type { Language } from '#lib/engine/languages/language.ts';
import { deriveCardByRules } from '#lib/engine/prompt/card-rules.ts';
import { languageOf, renderPromptParts, type RenderedParts } from '#lib/engine/prompt/render.ts';
import { readSinglePrompt, type SinglePromptTexts } from '#lib/engine/prompt/single-prompt.ts';
import { languageRefusal, spokenTexts } from '#lib/engine/prompt/spoken-language.ts';
import { readTemplate } from '#lib/engine/prompt/template.ts';
import { stateOf, variableUses } from '#lib/engine/prompt/variables.ts';
import type { AgentRow } from '#lib/features/agents/repository.ts';
import * as agentRules from '#lib/features/agents/rules.ts';
import { CARD_FIELDS } from '#lib/features/agents/settings/contract.ts';
import type { InboundDraft, OutboundDraft, PreviewRequest, PromptPreview } from './contract.ts';
import type { PromptRow } from '../repository.ts';
import * as promptRules from '../rules.ts';
import { NO_RETRY } from '../retry/rules.ts';

type PreviewInput = {
  agent: AgentRow;
  /** Null on inbound calls and for a prompt that is not saved yet. */
  prompt: PromptRow | null;
  request: PreviewRequest;
  workspaceName: string;
  hasLanguageModel: boolean;
  /** What a model made of the agent's language. */
  made?: Language | undefined;
};

/** The drafted texts as a call would use them, and what the preview says about them. */
type Drafted<Row> = {
  row: Row;
  cardIsDerived: boolean;
  /** What decides the language. */
  spoken: string;
  /** What the single prompt of the draft renders to. */
  rendered: SinglePromptTexts | null;
  /** The texts that a person edits, by field. */
  texts: Record<string, string | null>;
  /** The texts of the card. */
  cardTexts: Record<string, string | null>;
  /** Fields whose faults are not told: derived ones repeat those of their source. */
  derivedFields: readonly string[];
};

/**
 * Renders drafts with the same code as a call. The card is derived live by the rules where the draft's text is new
 * and nobody edited the card by hand; a model, where there is one, derives it when the text is saved.
 */
export function buildPreview(input: PreviewInput): PromptPreview {
  const { agent, prompt, request, workspaceName } = input;
  const { variables } = request;
  const refusalOf = ({ spoken }: Drafted<unknown>) =>
    input.hasLanguageModel ? null : languageRefusal({ language: languageOf(agent), text: spoken });
  const name = { variables, workspaceName, made: input.made };
  if (request.direction === 'INBOUND') {
    const drafted = draftInbound(agent, request.draft, workspaceName);
    const parts = renderPromptParts({
      ...name,
      agent: drafted.row,
      outboundPrompt: null,
      direction: 'INBOUND',
    });
    return { ...describe(parts, drafted, variables), languageRefusal: refusalOf(drafted) };
  }
  const drafted = draftOutbound(agent, prompt, request.draft, workspaceName);
  const parts = renderPromptParts({ ...name, agent, outboundPrompt: drafted.row, direction: 'OUTBOUND' });
  return { ...describe(parts, drafted, variables), languageRefusal: refusalOf(drafted) };
}

function draftInbound(agent: AgentRow, draft: InboundDraft, workspaceName: string): Drafted<AgentRow> {
  const sent = agentRules.definedOnly(blanksAsNull(draft));
  const row: AgentRow = { ...agent, ...agentRules.withoutFields(sent, CARD_FIELDS) };
  const rendered = row.inboundSinglePrompt === null ? null : readSinglePrompt(row.inboundSinglePrompt);
  if (rendered) {
    row.inboundPrompt = rendered.instructions === '' ? null : rendered.instructions;
    row.inboundVoicePrompt = rendered.voicePrompt;
  }
  const source = agentRules.cardSource(row);
  const isNew = source !== agentRules.cardSource(agent);
  if (!agent.voiceCardEdited && isNew) Object.assign(row, agentRules.cardColumns(deriveCardByRules(source)));
  const edited = agentRules.editedCard({
    card: row,
    shown: agentRules.shownCard(agent, workspaceName),
    sent: withoutUnwritten(sent, 'inboundGreeting', agent),
    workspaceName,
  });
  const cardIsDerived = !agent.voiceCardEdited && edited.voiceCardEdited === undefined;
  Object.assign(row, edited, rendered?.opening ? writtenOpening('inboundGreeting', rendered.opening) : {});
  const { inboundPrompt, inboundVoicePrompt, inboundSinglePrompt } = row;
  const texts: Drafted<AgentRow>['texts'] = rendered
    ? { inboundSinglePrompt }
    : { inboundPrompt, inboundVoicePrompt };
  const { inboundGreeting, voiceScope, aiDisclosure } = row;
  const cardTexts = { inboundGreeting, voiceScope, aiDisclosure };
  return {
    row,
    cardIsDerived,
    spoken: spokenTexts({ voicePrompt: inboundVoicePrompt, prompt: inboundPrompt }),
    rendered,
    texts,
    cardTexts,
    derivedFields: derivedFieldsOf(cardTexts, row),
  };
}

type DraftedPrompt = Omit<PromptRow, 'id' | 'workspaceId' | 'agentId' | 'createdAt' | 'updatedAt'>;

const EMPTY_PROMPT: DraftedPrompt = {
  title: '',
  instructions: '',
  opening: null,
  personaName: null,
  businessName: null,
  scope: null,
  voiceCardEdited: false,
  writtenCardFields: [],
  voicePrompt: null,
  singlePrompt: null,
  retry: NO_RETRY,
};

function draftOutbound(
  agent: AgentRow,
  prompt: PromptRow | null,
  draft: OutboundDraft,
  workspaceName: string,
): Drafted<DraftedPrompt> {
  const { title, instructions, singlePrompt, voicePrompt, ...card } = draft;
  const saved = prompt ?? EMPTY_PROMPT;
  const context = { agent, workspaceName };
  const row: DraftedPrompt = {
    ...saved,
    ...agentRules.definedOnly({ title, instructions }),
    ...agentRules.definedOnly(blanksAsNull({ singlePrompt, voicePrompt })),
  };
  const rendered = row.singlePrompt === null ? null : readSinglePrompt(row.singlePrompt);
  if (rendered)
    Object.assign(row, { instructions: rendered.instructions, voicePrompt: rendered.voicePrompt });
  const source = promptRules.cardSource(row);
  const isNew = prompt === null || source !== promptRules.cardSource(prompt);
  if (!saved.voiceCardEdited && isNew) Object.assign(row, promptRules.cardColumns(deriveCardByRules(source)));
  const sent = withoutUnwritten(agentRules.definedOnly(blanksAsNull(card)), 'opening', saved);
  // In a new prompt null is "not given".
  const edited =
    prompt === null
      ? promptRules.editedCard(row, agentRules.withoutNulls(sent, Object.keys(sent)), context)
      : promptRules.editedCard(row, sent, context, promptRules.shownCard(prompt, context));
  Object.assign(row, edited, rendered?.opening ? writtenOpening('opening', rendered.opening) : {});
  const { opening, scope } = row;
  return {
    row,
    cardIsDerived: !row.voiceCardEdited,
    spoken: spokenTexts({ voicePrompt: row.voicePrompt, prompt: row.instructions }),
    rendered,
    texts: rendered
      ? { singlePrompt: row.singlePrompt }
      : { instructions: row.instructions, voicePrompt: row.voicePrompt },
    cardTexts: { opening, scope },
    derivedFields: derivedFieldsOf({ opening, scope }, row),
  };
}

/** A form shows a derived line as an empty field, and an empty field of such a line is no edit. */
function withoutUnwritten<T extends object>(
  sent: T,
  field: string,
  { writtenCardFields }: { writtenCardFields: readonly string[] },
): Partial<T> {
  return writtenCardFields.includes(field) ? sent : agentRules.withoutNulls(sent, [field]);
}

/** The Opening section of a single prompt is a line written by hand. */
function writtenOpening(field: string, opening: string) {
  return { [field]: opening, writtenCardFields: [field] };
}

/** Derived texts repeat the faults of their source. */
function derivedFieldsOf(
  texts: Record<string, string | null>,
  { writtenCardFields }: { writtenCardFields: readonly string[] },
): string[] {
  return Object.keys(texts).filter((field) => !writtenCardFields.includes(field));
}

function describe(
  parts: RenderedParts,
  { cardIsDerived, rendered, texts, cardTexts, derivedFields }: Drafted<unknown>,
  variables: Record<string, string>,
): Omit<PromptPreview, 'languageRefusal'> {
  const read = Object.entries({ ...texts, ...cardTexts }).map(([field, text]) => ({
    field,
    template: readTemplate(text ?? ''),
  }));
  const judged = read.filter(({ field }) => !derivedFields.includes(field));
  const uses = new Map<string, PromptPreview['variables'][number]>();
  for (const { field, template } of read) {
    for (const use of variableUses(template.nodes)) {
      const known = uses.get(use.name);
      const isNumber = use.isNumber || (known?.isNumber ?? false);
      const state = stateOf({ name: use.name, isNumber }, variables);
      uses.set(use.name, { name: use.name, isNumber, state, usedIn: [...(known?.usedIn ?? []), field] });
    }
  }
  return {
    opening: parts.opening,
    instructions: parts.instructions,
    voicePrompt: parts.voicePrompt,
    voicePromptSource: rendered?.voicePrompt ? 'single prompt' : parts.voicePromptSource,
    leftOut: parts.leftOut,
    missingForOpening: parts.missingForOpening,
    openingSource:
      rendered?.opening && parts.openingSource !== 'derived' ? 'single prompt' : parts.openingSource,
    card: parts.card,
    cardIsDerived,
    rendered,
    variables: [...uses.values()],
    unusedVariables: Object.keys(variables).filter((name) => !uses.has(name)),
    problems: judged.flatMap(({ field, template }) =>
      template.problems.map((problem) => ({ field, ...problem })),
    ),
  };
}

/** A blank field is saved as none. */
function blanksAsNull<T extends object>(fields: T): T {
  const entries = Object.entries(fields).map(([field, value]) => [
    field,
    typeof value === 'string' && value.trim() === '' ? null : value,
  ]);
  return Object.fromEntries(entries) as T;
}
