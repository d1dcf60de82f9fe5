import { hash32 } from './hash.ts';
import { stem } from './stemmer.ts';
import { isUnspaced, tokensOf, writtenTokens } from './tokenizer.ts';

/** Words that say nothing about what a text is about; a query of nothing else keeps them. */
const STOP_WORDS = new Set(
  (
    'a an and are as at be been but by can could did do does for from had has have he her him his how i if in into is it its me my ' +
    'no not of on or our she should so than that the their them then there these they this those to up us was we were what when ' +
    'where which who whom whose why will with would you your about any tell please much many ' +
    'der die das den dem des ein eine einen einem einer und oder ist sind war wie was wann wo wer zu mit von für auf im am bei es ich sie wir ihr ' +
    'le la les un une des du et ou est sont que qui quoi quand où comment pour dans avec sur ce cette je vous nous il elle ' +
    'el los las una unos unas y o es son qué cuál cuándo dónde cómo para con por en del al se yo usted'
  ).split(' '),
);

export const MAX_TERM_LENGTH = 40;

/**
 * The terms of a text, in order, with repeats. A term is a word as texts are searched by it: lower case, without accents,
 * endings taken off; a pair of characters in scripts without spaces.
 */
export function termsOf(text: string): string[] {
  return tokensOf(text).flatMap(termsOfNormal);
}

/** The terms of one token as it was written. */
export function termsOfToken(token: string): string[] {
  return termsOfNormal(token.normalize('NFKC').toLowerCase());
}

function termsOfNormal(token: string): string[] {
  if (isUnspaced(token)) return pairsOf(token);
  const text = wordTerm(token);
  // A token of accents alone is no word.
  return text === '' ? [] : [text];
}

export function isStopWord(term: string): boolean {
  return STOP_WORDS.has(term);
}

/** How term blocks name a term. */
export function termHash(term: string): number {
  return hash32(term) | 0;
}

/** The terms of a question that are worth looking for, without repeats. */
export function queryTerms(query: string): string[] {
  const words = tokensOf(query);
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return [...new Set((telling.length > 0 ? telling : words).flatMap(termsOfNormal))];
}

/** The words of `text`, as written, whose terms are among `terms`: what a person is shown as the match. */
export function matchedWords(text: string, terms: readonly string[]): string[] {
  const wanted = new Set(terms);
  const found = new Map<string, string>();
  for (const token of writtenTokens(text)) {
    for (const term of termsOfToken(token)) {
      if (!wanted.has(term)) continue;
      const shown = isUnspaced(token) ? term : token;
      found.set(shown.toLowerCase(), shown);
    }
  }
  return [...found.values()];
}

/** "Anna's" and "anna" are one term, "3.5" stays whole, "e-mail" is two tokens already. */
function wordTerm(token: string): string {
  // A table may hold millions of numbers.
  if (/^\d+$/.test(token)) return token.slice(0, MAX_TERM_LENGTH);
  const plain = token
    .replace(/['’]s?$/u, '')
    .replace(/[._]+$/u, '')
    .replace(/['’]/gu, '');
  return stem(withoutAccents(plain)).slice(0, MAX_TERM_LENGTH);
}

function withoutAccents(word: string): string {
  return /^\p{ASCII}*$/u.test(word)
    ? word
    : word.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss');
}

function pairsOf(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length === 1) return characters;
  return characters.slice(0, -1).map((character, index) => character + (characters[index + 1] ?? ''));
}
