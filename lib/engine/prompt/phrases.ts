/** Sentences of our own making, for what a prompt leaves unsaid, in the languages the service writes itself. */
type Phrases = {
  inboundOpening(persona: string | null, business: string): string;
  /** `name` is a placeholder such as `{{firstName}}`, or null. */
  outboundOpening(persona: string | null, business: string, name: string | null): string;
  aiDisclosure(business: string): string;
  /** How a prompt calls the person whose name is not known. */
  person: string;
};

const ENGLISH: Phrases = {
  inboundOpening: (persona, business) =>
    persona
      ? `Hello, this is ${persona} from ${business}. How can I help you today?`
      : `Hello, thank you for calling ${business}. How can I help you today?`,
  outboundOpening: (persona, business, name) =>
    `Hello${name ? ` ${name}` : ''}, this is ${persona ? `${persona} from ${business}` : `the assistant of ${business}`}. Do you have a moment?`,
  aiDisclosure: (business) => `Yes, I am an AI assistant, and I speak for ${business}.`,
  person: 'the person',
};

const GERMAN: Phrases = {
  inboundOpening: (persona, business) =>
    persona
      ? `Guten Tag, hier ist ${persona} von ${business}. Wie kann ich Ihnen helfen?`
      : `Guten Tag, vielen Dank für Ihren Anruf bei ${business}. Wie kann ich Ihnen helfen?`,
  outboundOpening: (persona, business, name) =>
    `Guten Tag${name ? `, ${name}` : ''}, hier ist ${persona ? `${persona} von ${business}` : `die Assistenz von ${business}`}. Haben Sie einen Moment Zeit?`,
  aiDisclosure: (business) => `Ja, ich bin ein KI-Assistent und spreche für ${business}.`,
  person: 'die Person',
};

const SPANISH: Phrases = {
  inboundOpening: (persona, business) =>
    persona
      ? `Hola, le habla ${persona} de ${business}. ¿En qué puedo ayudarle?`
      : `Hola, gracias por llamar a ${business}. ¿En qué puedo ayudarle?`,
  outboundOpening: (persona, business, name) =>
    `Hola${name ? ` ${name}` : ''}, le habla ${persona ? `${persona} de ${business}` : `el asistente de ${business}`}. ¿Tiene un momento?`,
  aiDisclosure: (business) =>
    `Sí, soy un asistente de inteligencia artificial y hablo en nombre de ${business}.`,
  person: 'la persona',
};

const FRENCH: Phrases = {
  inboundOpening: (persona, business) =>
    persona
      ? `Bonjour, ici ${persona} de ${business}. Comment puis-je vous aider ?`
      : `Bonjour et merci d'appeler ${business}. Comment puis-je vous aider ?`,
  outboundOpening: (persona, business, name) =>
    `Bonjour${name ? ` ${name}` : ''}, ici ${persona ? `${persona} de ${business}` : `l'assistant de ${business}`}. Avez-vous un moment ?`,
  aiDisclosure: (business) => `Oui, je suis un assistant IA et je parle au nom de ${business}.`,
  person: 'la personne',
};

const BY_LANGUAGE: Record<string, Phrases> = { en: ENGLISH, de: GERMAN, es: SPANISH, fr: FRENCH };

/** Words that are frequent in one of the languages and no word of the others. */
const TELLTALE: Record<string, ReadonlySet<string>> = {
  en: new Set(['the', 'you', 'are', 'your', 'and', 'with', 'is', 'to', 'of', 'for', 'callers', 'call']),
  de: new Set([
    'der',
    'das',
    'und',
    'du',
    'bist',
    'sie',
    'ist',
    'mit',
    'für',
    'nicht',
    'ein',
    'eine',
    'den',
    'dem',
    'dein',
    'ihr',
  ]),
  es: new Set(['el', 'los', 'las', 'eres', 'usted', 'con', 'para', 'y', 'una', 'del', 'su', 'llamas', 'por']),
  fr: new Set(['le', 'les', 'vous', 'êtes', 'et', 'pour', 'avec', 'une', 'du', 'est', 'votre', 'vos', 'au']),
};

/**
 * The language our own sentences take: the agent's `language` when it is one of ours, else the one the prompt is
 * written in, else English.
 */
export function phrasesFor(language: string | null, promptText: string): Phrases {
  return BY_LANGUAGE[promptLanguage(language, promptText)] ?? ENGLISH;
}

/** The code of the agent's `language`, else of the one the prompt is written in: `de`. English where nothing tells. */
export function promptLanguage(language: string | null, promptText: string): string {
  return language?.split('-')[0]?.toLowerCase() ?? guessLanguage(promptText);
}

function guessLanguage(promptText: string): string {
  const words =
    promptText
      .slice(0, 4000)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const scores = Object.entries(TELLTALE).map(([code, telltale]) => ({
    code,
    hits: words.filter((word) => telltale.has(word)).length,
  }));
  // English comes first, and a tie keeps it.
  const best = scores.reduce((first, second) => (second.hits > first.hits ? second : first));
  return best.hits >= 2 ? best.code : 'en';
}
