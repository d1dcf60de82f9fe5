import type { AgentRow } from '#lib/features/agents/repository.ts';
import {
  type AgentChange,
  assertNotRendered,
  cardColumns,
  cardSource,
  changeByPatch,
  changeBySettings,
} from '#lib/features/agents/rules.ts';
import type { DerivedCard } from '#lib/engine/prompt/card-rules.ts';
import { notFound } from '#lib/errors.ts';
import type { PromptRow } from '#lib/features/prompts/repository.ts';
import * as prompts from '#lib/features/prompts/rules.ts';
import { NO_RETRY } from '#lib/features/prompts/retry/rules.ts';
import type { DraftEdit } from './contract.ts';

/** An agent with its outbound prompts, published or not. */
export type EditedState = { agent: AgentRow; prompts: PromptRow[] };
type Places = { workspaceName: string; newPromptId: string; now: Date };
type Result = EditedState & { promptId: string | null };

/**
 * The text that an edit makes the voice card follow, where it does: the rules of the same edit when it is published
 * (agents/service.ts, prompts/service.ts). A model may take seconds to derive a card, so that comes before the edit.
 */
export function sourceOfCard(state: EditedState, edit: DraftEdit, workspaceName: string): string | undefined {
  const { agent } = state;
  switch (edit.kind) {
    case 'inbound_prompt': {
      const inboundPrompt = blankToNull(edit.body.inboundPrompt);
      if (agent.voiceCardEdited || agent.inboundPrompt === inboundPrompt) return undefined;
      return cardSource({ ...agent, inboundPrompt });
    }
    case 'agent': {
      const columns = changeByPatch(agent, edit.body);
      return columns.inboundSinglePrompt && !agent.voiceCardEdited
        ? cardSource({ ...agent, ...columns })
        : undefined;
    }
    case 'derive_card':
      return cardSource(agent);
    case 'new_prompt':
      return edit.body.instructions;
    case 'prompt': {
      const prompt = promptOf(state, edit.promptId);
      const columns = prompts.changeByRequest(prompt, edit.body, { agent, workspaceName });
      const { instructions } = edit.body;
      const isSame = instructions === undefined || instructions === prompt.instructions;
      return isSame || prompt.voiceCardEdited ? undefined : prompts.cardSource({ ...prompt, ...columns });
    }
    case 'prompt_own': {
      const prompt = promptOf(state, edit.promptId);
      const columns = prompts.changeByPatch(prompt, edit.body, { agent, workspaceName });
      return columns.singlePrompt && !prompt.voiceCardEdited
        ? prompts.cardSource({ ...prompt, ...columns })
        : undefined;
    }
    case 'derive_prompt_card':
      return prompts.cardSource(promptOf(state, edit.promptId));
    case 'chat_prompt':
    case 'remove_prompt':
    case 'settings':
      return undefined;
  }
}

/** What an edit makes of a draft. Throws what publishing the same at once would. */
export function editState(
  state: EditedState,
  edit: DraftEdit,
  derived: DerivedCard | undefined,
  places: Places,
): Result {
  const isOfPrompt = 'promptId' in edit || edit.kind === 'new_prompt';
  if (isOfPrompt) return editPrompts(state, edit, derived, places);
  const change = agentChange(state.agent, edit, derived, places);
  return { ...state, agent: { ...state.agent, ...change }, promptId: null };
}

function agentChange(
  agent: AgentRow,
  edit: DraftEdit,
  derived: DerivedCard | undefined,
  { workspaceName }: Places,
): AgentChange {
  const card = derived && !agent.voiceCardEdited ? cardColumns(derived) : {};
  switch (edit.kind) {
    case 'inbound_prompt':
      assertNotRendered(agent, 'inboundPrompt');
      return { inboundPrompt: blankToNull(edit.body.inboundPrompt), ...card };
    case 'chat_prompt':
      return { chatPrompt: blankToNull(edit.body.chatPrompt) };
    case 'settings':
      return changeBySettings(agent, edit.body, workspaceName);
    case 'agent':
      // The single prompt's own opening wins over the derived one.
      return { ...card, ...changeByPatch({ ...agent, ...card }, edit.body) };
    case 'derive_card': {
      const anew = { ...(derived ? cardColumns(derived) : {}), voiceCardEdited: false };
      const { inboundSinglePrompt } = agent;
      // A single prompt's Opening section is no derivation.
      return { ...anew, ...changeByPatch({ ...agent, ...anew }, { inboundSinglePrompt }) };
    }
    case 'derive_prompt_card':
    case 'new_prompt':
    case 'prompt':
    case 'prompt_own':
    case 'remove_prompt':
      return {};
  }
}

function editPrompts(
  state: EditedState,
  edit: DraftEdit,
  derived: DerivedCard | undefined,
  { workspaceName, newPromptId, now }: Places,
): Result {
  const context = { agent: state.agent, workspaceName };
  if (edit.kind === 'new_prompt') {
    const card = derived ?? NOTHING_DERIVED;
    const made: PromptRow = {
      ...prompts.newPromptColumns(edit.body, card, context),
      id: newPromptId,
      agentId: state.agent.id,
      workspaceId: state.agent.workspaceId,
      singlePrompt: null,
      retry: NO_RETRY,
      createdAt: now,
      updatedAt: now,
    };
    return { ...state, prompts: [...state.prompts, made], promptId: newPromptId };
  }
  if (!('promptId' in edit)) return { ...state, promptId: null };
  const prompt = promptOf(state, edit.promptId);
  if (edit.kind === 'remove_prompt')
    return { ...state, prompts: state.prompts.filter(({ id }) => id !== prompt.id), promptId: prompt.id };
  const change = promptChange(prompt, edit, derived, context);
  const changed = state.prompts.map((each) => (each.id === prompt.id ? { ...each, ...change } : each));
  return { ...state, prompts: changed, promptId: prompt.id };
}

function promptChange(
  prompt: PromptRow,
  edit: DraftEdit,
  derived: DerivedCard | undefined,
  context: prompts.PromptContext,
): prompts.PromptChange {
  const card = derived && !prompt.voiceCardEdited ? prompts.cardColumns(derived) : {};
  switch (edit.kind) {
    case 'prompt':
      return prompts.changeByRequest(prompt, edit.body, context, card);
    case 'prompt_own':
      return { ...card, ...prompts.changeByPatch({ ...prompt, ...card }, edit.body, context) };
    case 'derive_prompt_card': {
      const anew = { ...(derived ? prompts.cardColumns(derived) : {}), voiceCardEdited: false };
      const { singlePrompt } = prompt;
      return { ...anew, ...prompts.changeByPatch({ ...prompt, ...anew }, { singlePrompt }, context) };
    }
    case 'agent':
    case 'chat_prompt':
    case 'derive_card':
    case 'inbound_prompt':
    case 'new_prompt':
    case 'remove_prompt':
    case 'settings':
      return {};
  }
}

function promptOf({ prompts: all }: EditedState, promptId: string): PromptRow {
  const prompt = all.find(({ id }) => id === promptId);
  if (!prompt) throw notFound('Outbound prompt');
  return prompt;
}

function blankToNull(text: string): string | null {
  return text.trim() === '' ? null : text;
}

const NOTHING_DERIVED: DerivedCard = {
  personaName: null,
  businessName: null,
  opening: null,
  scope: null,
  tone: null,
  aiDisclosure: null,
};
