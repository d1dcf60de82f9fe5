import { languageCode, type LANGUAGES } from '../catalog.ts';
import { da, de, en, nb, nl, sv } from './germanic.ts';
import { cs, fi, pl, tr } from './other.ts';
import { es, fr, it, pt } from './romance.ts';
import type { ChatWords } from './words.ts';

/** The words of chats in every language whose lines come with the service. */
const CHAT_WORDS = {
  cs,
  da,
  de,
  en,
  es,
  fi,
  fr,
  it,
  nb,
  nl,
  pl,
  pt,
  sv,
  tr,
} as const satisfies Record<keyof typeof LANGUAGES, ChatWords>;

/** The words in a language (BCP 47), with its code; English where the service does not come with it. */
export function chatWords(language: string | null): { code: string; words: ChatWords } {
  const code = languageCode(language);
  return isKnown(code) ? { code, words: CHAT_WORDS[code] } : { code: 'en', words: en };
}

function isKnown(code: string): code is keyof typeof CHAT_WORDS {
  return Object.hasOwn(CHAT_WORDS, code);
}
