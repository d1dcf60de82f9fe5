import type { RenderedPrompt, VoiceCard } from '#lib/engine/plan.ts';
import { composeOpening, deriveCardByRules, type Tone } from './card-rules.ts';
import { expandMarked, expandSpoken, type Variables } from './expand.ts';
import { callRules, cardText, openingNote, TONE_DEFAULT } from './instructions.ts';
import { findVoicePromptOpening } from './opening-line.ts';
import { phrasesFor } from './phrases.ts';
import { readTemplate } from './template.ts';

/** The fields of an agent that shape what it says. The stored agent fits as it is. */
export type PromptAgent = {
  name: string;
  description: string | null;
  inboundPrompt: string | null;
  inboundGreeting: string | null;
  inboundVoicePrompt: string | null;
  personaName: string | null;
  businessName: string | null;
  voiceScope: string | null;
  voiceTone: Tone | null;
  aiDisclosure: string | null;
  hasLanguage: boolean;
  language: string | null;
  isMultilingual: boolean;
  hasEndCall: boolean;
  hasCallTransfer: boolean;
  hasAutoInboundTransfer: boolean;
  disabledToolNames: readonly string[];
};

/** The fields of an outbound prompt that shape what is said. */
export type PromptOutbound = {
  title: string;
  instructions: string;
  opening: string | null;
  personaName: string | null;
  businessName: string | null;
  scope: string | null;
  voicePrompt: string | null;
};

export type RenderRequest = {
  agent: PromptAgent;
  /** Null on inbound calls. */
  outboundPrompt: PromptOutbound | null;
  direction: 'INBOUND' | 'OUTBOUND';
  variables: Variables;
  workspaceName: string;
};

/** A rendered prompt with its parts, for the preview. */
export type RenderedParts = RenderedPrompt & {
  /** The part of the instructions that says who speaks and how. */
  voicePrompt: string;
  voicePromptSource: 'card' | 'hand-written';
  openingSource: 'voice prompt' | 'opening' | 'derived';
};

/** What the texts of one direction are, whichever table they come from. */
type Texts = {
  voicePrompt: string | null;
  opening: string | null;
  body: string | null;
  /** As spoken, before the workspace's name fills in. */
  personaName: string | null;
  businessName: string | null;
  scope: string | null;
};

/**
 * Renders what an agent says and is told on one call (contract, Agent and Outbound prompt; docs/prompts.md). A
 * hand-written voice prompt replaces the card whole, opening line included. Never throws, whatever is stored:
 * a faulty placeholder is left out.
 */
export function renderPrompt(request: RenderRequest): RenderedPrompt {
  const { opening, instructions, body, card } = renderPromptParts(request);
  return { opening, instructions, body, card };
}

export function renderPromptParts(request: RenderRequest): RenderedParts {
  const texts = textsOf(request);
  const speak = (text: string) => expandSpoken(readTemplate(text).nodes, request.variables).trim();
  const mark = (text: string) => expandMarked(readTemplate(text).nodes, request.variables).trim();
  const card = voiceCardOf(request, texts, speak);
  const { opening, source } = openingOf(request, texts, card, speak);
  const isHandWritten = texts.voicePrompt !== null;
  const voicePrompt = isHandWritten
    ? mark(texts.voicePrompt ?? '')
    : cardText(markedCard(request, texts, card, mark), request.agent.name);
  const sections = [
    voicePrompt,
    texts.body === null ? null : `# Instructions\n${mark(texts.body)}`,
    openingNote(request.direction, opening, request.outboundPrompt?.title ?? null),
    callRules(request.agent, request.direction),
  ];
  return {
    opening,
    instructions: sections.filter((section) => section !== null && section !== '').join('\n\n'),
    body: speak(texts.body ?? texts.voicePrompt ?? ''),
    card,
    voicePrompt,
    voicePromptSource: isHandWritten ? 'hand-written' : 'card',
    openingSource: source,
  };
}

function textsOf({ agent, outboundPrompt: prompt, direction }: RenderRequest): Texts {
  if (direction === 'OUTBOUND' && prompt !== null) {
    return {
      voicePrompt: given(prompt.voicePrompt),
      opening: given(prompt.opening),
      body: given(prompt.instructions),
      personaName: given(prompt.personaName) ?? given(agent.personaName),
      businessName: given(prompt.businessName) ?? given(agent.businessName),
      scope: given(prompt.scope) ?? given(agent.voiceScope) ?? given(agent.description),
    };
  }
  const isInbound = direction === 'INBOUND';
  return {
    voicePrompt: isInbound ? given(agent.inboundVoicePrompt) : null,
    opening: isInbound ? given(agent.inboundGreeting) : null,
    body: isInbound ? given(agent.inboundPrompt) : null,
    personaName: given(agent.personaName),
    businessName: given(agent.businessName),
    scope: given(agent.voiceScope) ?? given(agent.description),
  };
}

function given(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text;
}

/** The card as spoken. Behind a hand-written voice prompt it is what that text itself says. */
function voiceCardOf(request: RenderRequest, texts: Texts, speak: (text: string) => string): VoiceCard {
  const { agent, workspaceName } = request;
  const phrases = phrasesFor(languageOf(agent), texts.body ?? texts.voicePrompt ?? '');
  const derived =
    texts.voicePrompt === null ? undefined : deriveCardByRules(deriveRequest(request, texts.voicePrompt));
  const source = derived
    ? { ...derived, voiceScope: derived.scope, voiceTone: derived.tone }
    : {
        ...texts,
        voiceScope: texts.scope,
        voiceTone: agent.voiceTone,
        aiDisclosure: given(agent.aiDisclosure),
      };
  const spoken = (text: string | null) => given(text === null ? null : speak(text));
  const businessName = spoken(source.businessName) ?? workspaceName;
  return {
    personaName: spoken(source.personaName),
    businessName,
    scope: spoken(source.voiceScope),
    tone: source.voiceTone ?? TONE_DEFAULT,
    aiDisclosure: spoken(source.aiDisclosure) ?? phrases.aiDisclosure(businessName),
  };
}

/** The card for the model: what may carry variables keeps them marked. */
function markedCard(
  request: RenderRequest,
  texts: Texts,
  card: VoiceCard,
  mark: (text: string) => string,
): VoiceCard {
  const marked = (text: string | null, spoken: string | null) =>
    text === null || spoken === null ? spoken : mark(text);
  return { ...card, scope: marked(texts.scope, card.scope) };
}

type Opening = { opening: string; source: RenderedParts['openingSource'] };

function openingOf(
  request: RenderRequest,
  texts: Texts,
  card: VoiceCard,
  speak: (text: string) => string,
): Opening {
  const fromVoicePrompt = texts.voicePrompt === null ? undefined : findVoicePromptOpening(texts.voicePrompt);
  const candidates: { text: string | null | undefined; source: RenderedParts['openingSource'] }[] = [
    { text: fromVoicePrompt, source: 'voice prompt' },
    { text: texts.opening, source: 'opening' },
  ];
  for (const { text, source } of candidates) {
    const opening = text ? oneLine(speak(text)) : '';
    if (opening !== '') return { opening, source };
  }
  const derived = composeOpening(
    deriveRequest(request, texts.body ?? ''),
    card.personaName,
    card.businessName,
  );
  return { opening: oneLine(speak(derived)), source: 'derived' };
}

function deriveRequest({ agent, direction, workspaceName }: RenderRequest, text: string) {
  return {
    text,
    direction,
    language: languageOf(agent),
    fallback: { personaName: null, businessName: workspaceName },
  };
}

/** The agent's own language where it is switched on. */
export function languageOf(agent: { hasLanguage: boolean; language: string | null }): string | null {
  return agent.hasLanguage ? given(agent.language) : null;
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').trim();
}
