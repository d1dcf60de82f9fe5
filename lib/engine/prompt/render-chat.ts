import { chatWords } from '#lib/engine/languages/chat/catalog.ts';
import { fillIn } from '#lib/engine/languages/language.ts';
import { withNames } from './card-names.ts';
import { deriveCardByRules, findNames } from './card-rules.ts';
import { promptLanguage } from './prompt-language.ts';
import { languageOf, type PromptAgent, renderPromptParts, type RenderedParts } from './render.ts';
import { namesThatHold } from './written-card.ts';

export type RenderChatRequest = {
  agent: PromptAgent;
  chatPrompt: string | null;
  /** What the chat opens with; null: what the chat prompt spells out, else a line made of the names. */
  greeting: string | null;
  variables: Record<string, string>;
  workspaceName: string;
};

/** The prompt that a chat follows, as it was written: the chat prompt, or the inbound one where there is none. */
export function chatText(agent: { inboundPrompt: string | null }, chatPrompt: string | null): string | null {
  return given(chatPrompt) ?? given(agent.inboundPrompt);
}

/** The code of the language in which a chat with the agent is written. */
export function chatLanguage(agent: PromptAgent, chatPrompt: string | null): string {
  return promptLanguage(languageOf(agent), chatText(agent, chatPrompt) ?? '');
}

/**
 * Renders what an agent is told in a chat: the chat prompt with the agent's card, and rules for what is written. A
 * hand-written voice prompt and the greeting of calls are for calls alone. Never throws.
 */
export function renderChatPrompt(request: RenderChatRequest): RenderedParts {
  const { chatPrompt, workspaceName, variables } = request;
  const agent = withOwnCard(request);
  const text = chatText(agent, chatPrompt);
  const render = (greeting: string) =>
    renderPromptParts({
      agent: {
        ...agent,
        inboundPrompt: text,
        inboundVoicePrompt: null,
        inboundGreeting: greeting,
        writtenCardFields: [...agent.writtenCardFields, 'inboundGreeting'],
      },
      outboundPrompt: null,
      direction: 'INBOUND',
      medium: 'chat',
      variables,
      workspaceName,
    });
  for (const line of [given(request.greeting), openingIn({ ...request, agent })]) {
    const parts = line === null ? undefined : render(line);
    // What lacks a variable says nothing, and is no opening.
    if (parts?.openingSource === 'opening') return parts;
  }
  const { personaName, businessName } = namesThatHold(agent, { prompt: text ?? '', workspaceName });
  const { opening } = chatWords(chatLanguage(agent, chatPrompt)).words;
  const line = personaName === null ? opening.unnamed : opening.named;
  return render(fillIn(line, { persona: personaName ?? '', business: businessName }));
}

/**
 * The agent with the card that its chat prompt gives: what was written by hand holds everywhere, what was derived from the
 * prompt of calls gives way to what the chat prompt says.
 */
function withOwnCard({ agent, chatPrompt, workspaceName }: RenderChatRequest): PromptAgent {
  const own = given(chatPrompt);
  if (own === null) return agent;
  const derived = deriveCardByRules(own);
  const choose = <Value>(field: string, written: Value, said: Value): Value =>
    agent.writtenCardFields.includes(field) ? written : said;
  const card = {
    ...agent,
    personaName: choose('personaName', agent.personaName, derived.personaName ?? agent.personaName),
    businessName: choose('businessName', agent.businessName, derived.businessName ?? agent.businessName),
    voiceScope: choose('voiceScope', agent.voiceScope, derived.scope),
    voiceTone: choose('voiceTone', agent.voiceTone, derived.tone ?? agent.voiceTone),
  };
  const before = namesThatHold(agent, { prompt: agent.inboundPrompt ?? '', workspaceName });
  const now = namesThatHold(card, { prompt: own, workspaceName });
  const lent = agent.aiDisclosure === null ? null : withNames(agent.aiDisclosure, before, now);
  const aiDisclosure = choose('aiDisclosure', agent.aiDisclosure, derived.aiDisclosure ?? lent);
  return { ...card, aiDisclosure };
}

/** The line that the chat prompt itself spells out. One of the inbound prompt thanks for a call. */
function openingIn({ agent, chatPrompt, workspaceName }: RenderChatRequest): string | null {
  const own = given(chatPrompt);
  if (own === null) return null;
  const said = findNames(own);
  return said.opening === null
    ? null
    : withNames(said.opening, said, namesThatHold(agent, { prompt: own, workspaceName }));
}

function given(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text;
}
