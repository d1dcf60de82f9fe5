import type { RenderedPrompt, VoiceCard } from '#lib/engine/plan.ts';
import { composeOpening, deriveCardByRules, type Tone } from './card-rules.ts';
import { expandMarked, expandSpoken, type Variables } from './expand.ts';
import { callRules, cardText, openingNote, TONE_DEFAULT } from './instructions.ts';
import { oneLine } from './lines.ts';
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

/** The two ways a text is read: as people hear it, and as the model gets it, with the values marked as data. */
type Readers = Record<'spoken' | 'marked', (text: string) => string>;

/**
 * Renders what an agent says and is told on one call (contract, Agent and Outbound prompt; docs/prompts.md). A
 * hand-written voice prompt replaces the card whole, opening line included. Never throws, whatever is stored:
 * a faulty placeholder is left out.
 */
export function renderPrompt(request: RenderRequest): RenderedPrompt {
  const { opening, instructions, body, card } = renderPromptParts(request);
  return { opening, instructions, body, card };
}

export function renderPromptParts(given: RenderRequest): RenderedParts {
  const read: Readers = {
    spoken: (text) => expandSpoken(readTemplate(text).nodes, given.variables).trim(),
    marked: (text) => expandMarked(readTemplate(text).nodes, given.variables).trim(),
  };
  const request = { ...given, workspaceName: read.spoken(given.workspaceName) };
  const texts = textsOf(request);
  const cards: Cards = {
    spoken: voiceCardOf(request, texts, read, 'spoken'),
    marked: voiceCardOf(request, texts, read, 'marked'),
  };
  const opening = openingOf(request, texts, cards, read);
  const voicePrompt =
    texts.voicePrompt === null
      ? cardText(cards.marked, read.marked(request.agent.name))
      : read.marked(texts.voicePrompt);
  const title = request.outboundPrompt === null ? null : read.marked(request.outboundPrompt.title);
  const sections = [
    voicePrompt,
    texts.body === null ? '' : `# Instructions\n${read.marked(texts.body)}`,
    openingNote(request.direction, opening.marked, title),
    callRules(request.agent, request.direction),
  ];
  return {
    opening: opening.spoken,
    instructions: sections.filter((section) => section !== '').join('\n\n'),
    body: read.spoken(texts.body ?? texts.voicePrompt ?? ''),
    card: cards.spoken,
    voicePrompt,
    voicePromptSource: texts.voicePrompt === null ? 'card' : 'hand-written',
    openingSource: opening.source,
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

/** The card of this call. Behind a hand-written voice prompt it is what that text itself says. */
function voiceCardOf(request: RenderRequest, texts: Texts, read: Readers, as: keyof Readers): VoiceCard {
  const { agent, workspaceName } = request;
  const derived =
    texts.voicePrompt === null ? undefined : deriveCardByRules(deriveRequest(request, texts.voicePrompt));
  const source = derived ?? { ...texts, tone: agent.voiceTone, aiDisclosure: agent.aiDisclosure };
  // What is spoken as nothing counts as unset in both readings.
  const field = (text: string | null) => (text !== null && read.spoken(text) !== '' ? read[as](text) : null);
  const businessName = field(source.businessName) ?? workspaceName;
  const phrases = phrasesFor(languageOf(agent), texts.body ?? texts.voicePrompt ?? '');
  return {
    personaName: field(source.personaName),
    businessName,
    scope: field(source.scope),
    tone: source.tone ?? TONE_DEFAULT,
    aiDisclosure: field(source.aiDisclosure) ?? phrases.aiDisclosure(businessName),
  };
}

type Cards = Record<keyof Readers, VoiceCard>;
type Opening = { spoken: string; marked: string; source: RenderedParts['openingSource'] };

function openingOf(request: RenderRequest, texts: Texts, cards: Cards, read: Readers): Opening {
  const fromVoicePrompt = texts.voicePrompt === null ? undefined : findVoicePromptOpening(texts.voicePrompt);
  const candidates: { text: string | null | undefined; source: RenderedParts['openingSource'] }[] = [
    { text: fromVoicePrompt, source: 'voice prompt' },
    { text: texts.opening, source: 'opening' },
  ];
  for (const { text, source } of candidates) {
    const spoken = text ? oneLine(read.spoken(text)) : '';
    if (text && spoken !== '') return { spoken, marked: oneLine(read.marked(text)), source };
  }
  const derived = ({ personaName, businessName }: VoiceCard) =>
    composeOpening(deriveRequest(request, texts.body ?? ''), personaName, businessName);
  return {
    spoken: oneLine(read.spoken(derived(cards.spoken))),
    marked: oneLine(read.marked(derived(cards.marked))),
    source: 'derived',
  };
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
