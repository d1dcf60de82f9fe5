import type { Language } from '#lib/engine/languages/language.ts';
import type { RenderedPrompt, VoiceCard } from '#lib/engine/plan.ts';
import { withNames, withNamesInText } from './card-names.ts';
import { composeOpening, deriveCardByRules, findNames, type Tone } from './card-rules.ts';
import { type Expansion, expandForModel, expandForReading, expandLine, type LeftOut } from './expand.ts';
import { CHAT_TEXTS } from './chat-instructions.ts';
import { CALL_TEXTS, otherNamesNote, TONE_DEFAULT } from './instructions.ts';
import { oneLine } from './lines.ts';
import { findVoicePromptOpening } from './opening-line.ts';
import { phrasesFor } from './phrases.ts';
import type { Variables } from './pieces.ts';
import { readTemplate } from './template.ts';
import { derivedOpening, namesThatHold, type SpokenNames } from './written-card.ts';

/** The fields of an agent that shape what it says. The stored agent fits as it is. */
export type PromptAgent = {
  name: string;
  inboundPrompt: string | null;
  inboundGreeting: string | null;
  inboundVoicePrompt: string | null;
  personaName: string | null;
  businessName: string | null;
  voiceScope: string | null;
  voiceTone: Tone | null;
  aiDisclosure: string | null;
  /** The fields of the card that somebody wrote; the others are derived, and follow the names. */
  writtenCardFields: readonly string[];
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
  writtenCardFields: readonly string[];
};

export type RenderRequest = {
  agent: PromptAgent;
  /** Null on inbound calls. */
  outboundPrompt: PromptOutbound | null;
  direction: 'INBOUND' | 'OUTBOUND';
  /** Left out: a call. */
  medium?: 'chat';
  variables: Variables;
  workspaceName: string;
  /** The sentences of the agent's language, where a model made them (`lib/features/languages`). */
  made?: Language | undefined;
};

/** A rendered prompt with its parts, for the preview. */
export type RenderedParts = RenderedPrompt & {
  /** The part of the instructions that says who speaks and how. */
  voicePrompt: string;
  voicePromptSource: 'card' | 'hand-written';
  /** `derived`: nobody wrote it, it is the prompt's own line or made of the names. */
  openingSource: 'voice prompt' | 'opening' | 'derived';
  /** Sentences of the opening that are not said on this call. */
  leftOut: LeftOut[];
};

/** What the texts of one direction are, whichever table they come from. */
type Texts = {
  voicePrompt: string | null;
  opening: string | null;
  isOpeningWritten: boolean;
  body: string | null;
  names: SpokenNames;
  scope: string | null;
  aiDisclosure: string | null;
};

/** How a text is read: as people hear it, or as the model gets it, with the values marked as data. */
type As = 'spoken' | 'marked';
type Readers = {
  /** A text of the card or the opening. */
  line(text: string, as: As): Expansion;
  /** A whole prompt. */
  prompt(text: string, as: As): string;
};

/**
 * Renders what an agent says and is told on one call (contract, Agent and Outbound prompt; docs/prompts.md). A
 * hand-written voice prompt replaces the card whole, opening line included. Never throws, whatever is stored:
 * a faulty placeholder is left out.
 */
export function renderPrompt(request: RenderRequest): RenderedPrompt {
  const { opening, missingForOpening: missing, instructions, body, card } = renderPromptParts(request);
  return { opening, missingForOpening: missing, instructions, body, card };
}

export function renderPromptParts(request: RenderRequest): RenderedParts {
  const { agent, direction, outboundPrompt } = request;
  const texts = textsOf(request);
  const read = readersFor(request, texts);
  const cards = {
    spoken: cardOf(request, texts, read, 'spoken'),
    marked: cardOf(request, texts, read, 'marked'),
  };
  const opening = openingOf(request, texts, cards, read);
  const own = request.medium === 'chat' ? CHAT_TEXTS : CALL_TEXTS;
  const voicePrompt =
    texts.voicePrompt === null
      ? own.card(cards.marked, read.line(agent.name, 'marked').text.trim())
      : read.prompt(texts.voicePrompt, 'marked');
  const title = outboundPrompt === null ? '' : read.line(outboundPrompt.title, 'marked').text.trim();
  // Behind a hand-written voice prompt the card, and with it the names, do not count.
  const written = texts.voicePrompt === null ? findNames(texts.body ?? '') : texts.names;
  const sections = [
    voicePrompt,
    texts.body === null ? '' : `# Instructions\n${read.prompt(texts.body, 'marked')}`,
    otherNamesNote(written, texts.names, cards.marked),
    own.openingNote(direction, opening.marked, title === '' ? null : title),
    own.rules(agent, direction),
  ];
  return {
    opening: opening.spoken,
    instructions: sections.filter((section) => section !== '').join('\n\n'),
    body: withNamesInText(read.prompt(texts.body ?? texts.voicePrompt ?? '', 'spoken'), written, texts.names),
    card: cards.spoken,
    voicePrompt,
    voicePromptSource: texts.voicePrompt === null ? 'card' : 'hand-written',
    openingSource: opening.source,
    leftOut: opening.leftOut,
    missingForOpening: opening.missing,
  };
}

function readersFor({ agent, variables, made }: RenderRequest, texts: Texts): Readers {
  const { person } = phrasesFor(languageOf(agent), texts.body ?? texts.voicePrompt ?? '', made);
  return {
    line: (text, as) => expandLine(readTemplate(text).nodes, variables, as),
    prompt: (text, as) =>
      (as === 'spoken'
        ? expandForReading(readTemplate(text).nodes, variables, person)
        : expandForModel(readTemplate(text).nodes, variables)
      ).trim(),
  };
}

function textsOf({ agent, outboundPrompt: prompt, direction, workspaceName }: RenderRequest): Texts {
  const agentNames = namesThatHold(agent, { prompt: agent.inboundPrompt ?? '', workspaceName });
  const isWritten = (field: string) => agent.writtenCardFields.includes(field);
  if (direction === 'OUTBOUND' && prompt !== null) {
    const { instructions } = prompt;
    const names = namesThatHold(prompt, { owner: agent, prompt: instructions, workspaceName });
    // What the agent's own prompt says with its names is said with the names of this one.
    const lent = (field: 'voiceScope' | 'aiDisclosure') => {
      const line = given(agent[field]);
      return line === null || isWritten(field) ? line : withNames(line, agentNames, names);
    };
    return {
      voicePrompt: given(prompt.voicePrompt),
      opening: given(prompt.opening),
      isOpeningWritten: prompt.writtenCardFields.includes('opening'),
      body: given(instructions),
      names,
      scope: given(prompt.scope) ?? lent('voiceScope'),
      aiDisclosure: lent('aiDisclosure'),
    };
  }
  const isInbound = direction === 'INBOUND';
  return {
    voicePrompt: isInbound ? given(agent.inboundVoicePrompt) : null,
    opening: isInbound ? given(agent.inboundGreeting) : null,
    isOpeningWritten: isWritten('inboundGreeting'),
    body: isInbound ? given(agent.inboundPrompt) : null,
    names: agentNames,
    scope: given(agent.voiceScope),
    aiDisclosure: given(agent.aiDisclosure),
  };
}

function given(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text;
}

/** The card of this call. Behind a hand-written voice prompt it is what that text itself says. */
function cardOf(request: RenderRequest, texts: Texts, read: Readers, as: As): VoiceCard {
  const { agent, workspaceName } = request;
  const derived = texts.voicePrompt === null ? undefined : deriveCardByRules(texts.voicePrompt);
  const source = derived ?? { ...texts, ...texts.names, tone: agent.voiceTone };
  const line = (text: string | null, how: As) => read.line(text ?? '', how).text.trim();
  // What is spoken as nothing counts as unset in both readings.
  const field = (text: string | null) => (line(text, 'spoken') === '' ? null : line(text, as));
  const scope = source.scope ?? '';
  const businessName = field(source.businessName) ?? line(workspaceName, 'spoken');
  const phrases = phrasesFor(languageOf(agent), texts.body ?? texts.voicePrompt ?? '', request.made);
  return {
    personaName: field(source.personaName),
    businessName,
    scope: read.prompt(scope, 'spoken') === '' ? null : read.prompt(scope, as),
    tone: source.tone ?? TONE_DEFAULT,
    aiDisclosure: field(source.aiDisclosure) ?? phrases.aiDisclosure(businessName),
  };
}

type Opening = Pick<RenderedParts, 'leftOut'> & {
  missing: string[];
  spoken: string;
  marked: string;
  source: RenderedParts['openingSource'];
};
type Candidate = { text: string; source: Opening['source']; isWritten: boolean };

function openingOf(
  request: RenderRequest,
  texts: Texts,
  cards: Record<As, VoiceCard>,
  read: Readers,
): Opening {
  const candidates = writtenOpenings(texts);
  const replaced =
    request.direction === 'OUTBOUND' ? replacedOpening(candidates, request.variables) : undefined;
  for (const { text, source, isWritten } of candidates) {
    const { text: spoken, leftOut, isStatement } = read.line(text, 'spoken');
    if (!isSayable(spoken, leftOut, isStatement)) continue;
    const marked = oneLine(read.line(text, 'marked').text);
    const said = { spoken: oneLine(spoken), marked, source: isWritten ? source : ('derived' as const) };
    return { ...said, leftOut: replaced?.leftOut ?? leftOut, missing: replaced?.missing ?? [] };
  }
  const compose = {
    prompt: texts.body ?? '',
    direction: request.direction,
    language: languageOf(request.agent),
    made: request.made,
  };
  const said = (as: As) => oneLine(read.line(derivedOpening(compose, cards[as]), as).text);
  const composed = (as: As) => oneLine(read.line(composeOpening(compose, cards[as]), as).text);
  const { text, leftOut, isStatement } = read.line(derivedOpening(compose, cards.spoken), 'spoken');
  const say = isSayable(text, leftOut, isStatement) ? said : composed;
  return {
    spoken: say('spoken'),
    marked: say('marked'),
    source: 'derived',
    leftOut: replaced?.leftOut ?? leftOut,
    missing: replaced?.missing ?? [],
  };
}

function writtenOpenings(texts: Pick<Texts, 'voicePrompt' | 'opening' | 'isOpeningWritten'>): Candidate[] {
  const fromVoicePrompt = texts.voicePrompt === null ? undefined : findVoicePromptOpening(texts.voicePrompt);
  return [
    ...(fromVoicePrompt ? [{ text: fromVoicePrompt, source: 'voice prompt' as const, isWritten: true }] : []),
    ...(texts.opening === null
      ? []
      : [{ text: texts.opening, source: 'opening' as const, isWritten: texts.isOpeningWritten }]),
  ];
}

/** An opening may lose sentences, but not all that it states: "Do you have a moment?" alone opens no call. */
function isSayable(text: string, leftOut: readonly LeftOut[], isStatement: boolean): boolean {
  return text.trim() !== '' && (leftOut.length === 0 || isStatement);
}

/** The opening that somebody wrote by hand and that cannot be said without variables that were not given. */
function replacedOpening(
  [first]: Candidate[],
  variables: Variables,
): Pick<Opening, 'leftOut' | 'missing'> | undefined {
  if (!first?.isWritten) return undefined;
  const { text, leftOut, isStatement } = expandLine(readTemplate(first.text).nodes, variables, 'spoken');
  if (isSayable(text, leftOut, isStatement)) return undefined;
  const missing = [...new Set(leftOut.flatMap((sentence) => sentence.variables))];
  return missing.length === 0 ? undefined : { leftOut, missing };
}

/** The variables without which an outbound prompt's hand-written opening states nothing; none where it can be said. */
export function missingForOpening(
  prompt: Pick<PromptOutbound, 'voicePrompt' | 'opening' | 'writtenCardFields'>,
  variables: Variables,
): string[] {
  const candidates = writtenOpenings({
    voicePrompt: given(prompt.voicePrompt),
    opening: given(prompt.opening),
    isOpeningWritten: prompt.writtenCardFields.includes('opening'),
  });
  return replacedOpening(candidates, variables)?.missing ?? [];
}

/** The agent's own language where it is switched on. */
export function languageOf(agent: { hasLanguage: boolean; language: string | null }): string | null {
  return agent.hasLanguage ? given(agent.language) : null;
}
