import { hash32 } from './hash.ts';

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

// Scripts that put no spaces between words: pairs of characters stand in for words.
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const TOKEN = new RegExp(
  String.raw`[${UNSPACED}\p{M}ー]+|[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}_]|['’.](?=[\p{L}\p{N}]))*`,
  'gu',
);
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');
const MAX_TERM_LENGTH = 40;

/**
 * A word as texts are searched by it: lower case, without accents, endings taken off; a pair of characters in scripts
 * without spaces. Each is one object with what its uses need, so that a token of a text is looked up only once.
 */
export type Term = {
  readonly text: string;
  readonly hash: number;
  readonly isStopWord: boolean;
  /** How often the text counted last holds it. */
  count: number;
  /** Worked out when its vector is first needed. */
  features: readonly number[] | undefined;
};

/** The terms of a text, in order, with repeats. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  forEachTerm(text, (term) => terms.push(term.text));
  return terms;
}

/** The terms of a text, each once. Their counts hold until the next text is counted. */
export function countTerms(text: string): readonly Term[] {
  for (const term of counted) term.count = 0;
  counted = [];
  forEachTerm(text, (term) => {
    if (term.count === 0) counted.push(term);
    term.count += 1;
  });
  return counted;
}

let counted: Term[] = [];

function forEachTerm(text: string, use: (term: Term) => void): void {
  forgetTerms();
  for (const token of tokensOf(text.normalize('NFKC').toLowerCase())) {
    const known = byToken.get(token);
    if (known) use(known);
    else if (IS_UNSPACED.test(token)) for (const pair of pairsOf(token)) use(termOf(pair));
    else {
      const term = termOf(wordTerm(token));
      // A token of accents alone is no word.
      if (term.text === '') continue;
      byToken.set(token, term);
      use(term);
    }
  }
}

function tokensOf(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

// A text repeats its words: looking one up takes a third of the time of working it out.
const KEPT_TOKENS = 50_000;
const byToken = new Map<string, Term>();
const byText = new Map<string, Term>();

function termOf(text: string): Term {
  let term = byText.get(text);
  if (!term) {
    term = { text, hash: termHash(text), isStopWord: STOP_WORDS.has(text), count: 0, features: undefined };
    byText.set(text, term);
  }
  return term;
}

/** Only between two texts: a term must be one object within a text. */
function forgetTerms(): void {
  if (byText.size < KEPT_TOKENS && byToken.size < KEPT_TOKENS) return;
  byToken.clear();
  byText.clear();
}

/** How term blocks name a term. */
export function termHash(term: string): number {
  return hash32(term) | 0;
}

/** The terms of a question that are worth looking for, without repeats. */
export function queryTerms(query: string): string[] {
  const words = tokensOf(query.normalize('NFKC').toLowerCase());
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return [...new Set((telling.length > 0 ? telling : words).flatMap(termsOf))];
}

/** The words of `text`, as written, whose terms are among `terms`: what a person is shown as the match. */
export function matchedWords(text: string, terms: readonly string[]): string[] {
  const wanted = new Set(terms);
  const found = new Map<string, string>();
  for (const token of tokensOf(text)) {
    if (IS_UNSPACED.test(token)) {
      for (const pair of pairsOf(token.normalize('NFKC'))) if (wanted.has(pair)) found.set(pair, pair);
    } else if (wanted.has(wordTerm(token.normalize('NFKC').toLowerCase()))) {
      found.set(token.toLowerCase(), token);
    }
  }
  return [...found.values()];
}

/** "Anna's" and "anna" are one term, "3.5" stays whole, "e-mail" is two tokens already. */
function wordTerm(token: string): string {
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

/**
 * Takes common endings off, so that "opening", "opens" and "opened" meet. Light on purpose: the same rule on both
 * sides is what counts, and a wrong join costs more than a missed one.
 */
function stem(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word;
  let root = word;
  if (root.endsWith('ies') && root.length > 4) root = `${root.slice(0, -3)}y`;
  else if (/(?:ss|x|ch|sh)es$/.test(root)) root = root.slice(0, -2);
  else if (root.endsWith('s') && !/(?:ss|us|is)$/.test(root)) root = root.slice(0, -1);
  if (root.length > 5 && root.endsWith('ing')) root = undouble(root.slice(0, -3));
  else if (root.length > 4 && root.endsWith('ed')) root = undouble(root.slice(0, -2));
  if (root.length > 5 && root.endsWith('ly')) root = root.slice(0, -2);
  if (root.length > 4 && root.endsWith('e')) root = root.slice(0, -1);
  return root;
}

function undouble(root: string): string {
  return /([bdgmnprt])\1$/.test(root) ? root.slice(0, -1) : root;
}
