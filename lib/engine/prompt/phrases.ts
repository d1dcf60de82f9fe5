import { knownLanguage, LANGUAGES } from '#lib/engine/languages/catalog.ts';
import { fillIn, type Language } from '#lib/engine/languages/language.ts';
import { promptLanguage } from './prompt-language.ts';

/** Sentences of our own making, for what a prompt leaves unsaid. */
type Phrases = {
  inboundOpening(persona: string | null, business: string): string;
  /** `name` is a placeholder such as `{{firstName}}`, or null. */
  outboundOpening(persona: string | null, business: string, name: string | null): string;
  aiDisclosure(business: string): string;
  /** How a prompt calls the person whose name is not known. */
  person: string;
};

/**
 * The sentences in the agent's `language`, else in the one the prompt is written in. Where the service does not come with
 * it they are those of `made`, what a model made of that language, else English.
 */
export function phrasesFor(language: string | null, promptText: string, made?: Language): Phrases {
  const { opening, aiDisclosure, person } =
    knownLanguage(promptLanguage(language, promptText)) ?? made ?? LANGUAGES.en;
  const fill = (line: string, persona: string | null, business: string, name: string | null) =>
    fillIn(line, { persona: persona ?? '', business, name: name ?? '' });
  return {
    inboundOpening: (persona, business) =>
      fill(persona ? opening.inbound.named : opening.inbound.unnamed, persona, business, null),
    outboundOpening(persona, business, name) {
      const { named, unnamed, namedTo, unnamedTo } = opening.outbound;
      const line = name ? (persona ? namedTo : unnamedTo) : persona ? named : unnamed;
      return fill(line, persona, business, name);
    },
    aiDisclosure: (business) => fillIn(aiDisclosure, { business }),
    person,
  };
}
