import { deriveCardByRules } from '#lib/engine/prompt/card-rules.ts';
import { renderPromptParts, type RenderedParts } from '#lib/engine/prompt/render.ts';
import { readSinglePrompt, type SinglePromptTexts } from '#lib/engine/prompt/single-prompt.ts';
import { readTemplate } from '#lib/engine/prompt/template.ts';
import { stateOf, variableUses } from '#lib/engine/prompt/variables.ts';
import type { AgentRow } from '#lib/features/agents/repository.ts';
import * as agentRules from '#lib/features/agents/rules.ts';
import type { InboundDraft, OutboundDraft, PreviewRequest, PromptPreview } from '../contract.ts';
import type { PromptRow } from '../repository.ts';
import * as promptRules from '../rules.ts';

type PreviewInput = {
  agent: AgentRow;
  /** Null on inbound calls and for a prompt that is not saved yet. */
  prompt: PromptRow | null;
  request: PreviewRequest;
  workspaceName: string;
};

/** The drafted texts as a call would use them, and what the preview says about them. */
type Drafted<Row> = {
  row: Row;
  cardIsDerived: boolean;
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
export function buildPreview({ agent, prompt, request, workspaceName }: PreviewInput): PromptPreview {
  const { variables } = request;
  const name = { variables, workspaceName };
  if (request.direction === 'INBOUND') {
    const drafted = draftInbound(agent, request.draft, workspaceName);
    const parts = renderPromptParts({
      ...name,
      agent: drafted.row,
      outboundPrompt: null,
      direction: 'INBOUND',
    });
    return describe(parts, drafted, variables);
  }
  const drafted = draftOutbound(agent, prompt, request.draft, workspaceName);
  const parts = renderPromptParts({ ...name, agent, outboundPrompt: drafted.row, direction: 'OUTBOUND' });
  return describe(parts, drafted, variables);
}

function draftInbound(agent: AgentRow, draft: InboundDraft, workspaceName: string): Drafted<AgentRow> {
  const row: AgentRow = { ...agent, ...agentRules.definedOnly(blanksAsNull(draft)) };
  const rendered = row.inboundSinglePrompt === null ? null : readSinglePrompt(row.inboundSinglePrompt);
  if (rendered) {
    row.inboundPrompt = rendered.instructions === '' ? null : rendered.instructions;
    row.inboundVoicePrompt = rendered.voicePrompt;
  }
  const request = agentRules.deriveRequestFor(row, workspaceName);
  const isDrafted = agentRules.CARD_FIELDS.some((field) => row[field] !== agent[field]);
  const isNew = request.text !== agentRules.deriveRequestFor(agent, workspaceName).text;
  const cardIsDerived = !agent.voiceCardEdited && !isDrafted;
  if (cardIsDerived && isNew) Object.assign(row, agentRules.cardColumns(deriveCardByRules(request)));
  if (rendered?.opening) row.inboundGreeting = rendered.opening;
  const { inboundPrompt, inboundVoicePrompt, inboundSinglePrompt } = row;
  const edited: Drafted<AgentRow>['texts'] = rendered
    ? { inboundSinglePrompt }
    : { inboundPrompt, inboundVoicePrompt };
  const card = {
    inboundGreeting: row.inboundGreeting,
    voiceScope: row.voiceScope,
    aiDisclosure: row.aiDisclosure,
  };
  return {
    row,
    cardIsDerived,
    rendered,
    texts: edited,
    cardTexts: card,
    derivedFields: cardIsDerived ? Object.keys(card) : [],
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
  voicePrompt: null,
  singlePrompt: null,
};

function draftOutbound(
  agent: AgentRow,
  prompt: PromptRow | null,
  draft: OutboundDraft,
  workspaceName: string,
): Drafted<DraftedPrompt> {
  const { title, instructions, ...nullable } = draft;
  const saved = prompt ?? EMPTY_PROMPT;
  const row: DraftedPrompt = {
    ...saved,
    ...agentRules.definedOnly({ title, instructions }),
    ...agentRules.definedOnly(blanksAsNull(nullable)),
  };
  const rendered = row.singlePrompt === null ? null : readSinglePrompt(row.singlePrompt);
  if (rendered)
    Object.assign(row, { instructions: rendered.instructions, voicePrompt: rendered.voicePrompt });
  const request = promptRules.deriveRequestFor(row, agent, workspaceName);
  const isNew =
    prompt === null || request.text !== promptRules.deriveRequestFor(prompt, agent, workspaceName).text;
  const cardIsDerived = !saved.voiceCardEdited;
  const derived = promptRules.cardColumns(deriveCardByRules(request));
  // What the draft itself says of the card wins, as it will when it is saved.
  const written = Object.keys(derived).filter(
    (field) => Object.hasOwn(nullable, field) && differs(row, saved, field),
  );
  if (cardIsDerived && isNew) {
    const fields = Object.entries(derived).filter(([field]) => !written.includes(field));
    Object.assign(row, Object.fromEntries(fields));
  }
  if (rendered?.opening) row.opening = rendered.opening;
  const { singlePrompt, voicePrompt, opening, scope } = row;
  const edited: Drafted<DraftedPrompt>['texts'] = rendered
    ? { singlePrompt }
    : { instructions: row.instructions, voicePrompt };
  const derivedFields = cardIsDerived ? Object.keys(derived).filter((field) => !written.includes(field)) : [];
  return { row, cardIsDerived, rendered, texts: edited, cardTexts: { opening, scope }, derivedFields };
}

function describe(
  parts: RenderedParts,
  { cardIsDerived, rendered, texts, cardTexts, derivedFields }: Drafted<unknown>,
  variables: Record<string, string>,
): PromptPreview {
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

function differs(row: DraftedPrompt, saved: DraftedPrompt, field: string): boolean {
  const read = (prompt: DraftedPrompt) => Object.entries(prompt).find(([name]) => name === field)?.[1];
  return read(row) !== read(saved);
}

/** A blank field is saved as none. */
function blanksAsNull<T extends object>(fields: T): T {
  const entries = Object.entries(fields).map(([field, value]) => [
    field,
    typeof value === 'string' && value.trim() === '' ? null : value,
  ]);
  return Object.fromEntries(entries) as T;
}
