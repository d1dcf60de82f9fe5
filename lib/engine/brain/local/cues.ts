import { readSpokenWords } from '#lib/text/english.ts';

/** A text as cues are held against it: ` word/dictionary-form` for each word. */
export type CueText = string;

export function toCueText(text: string): CueText {
  return readSpokenWords(text)
    .map(({ text: word, lemma }) => ` ${word.replace(/[/\s]/g, '_')}/${lemma.replace(/[/\s]/g, '_')}`)
    .join('');
}

type Entry<Value> = { value: Value; pattern: RegExp };

/**
 * Cues and what they stand for. The answer to a text is every entry whose cue is in it; only those are tried of which the
 * text has a word that they need, a few of hundreds.
 */
export function createCueTable<Value>(rows: readonly { value: Value; cues: readonly string[] }[]) {
  const byWord = new Map<string, Entry<Value>[]>();
  for (const { value, cues } of rows) {
    for (const cue of cues) {
      const entry = { value, pattern: compileCue(cue) };
      for (const word of neededWords(cue)) byWord.set(word, [...(byWord.get(word) ?? []), entry]);
    }
  }
  return (text: CueText): Entry<Value>[] => {
    const words = new Set(text.split(/[ /]/));
    const tried = new Set([...words].flatMap((word) => byWord.get(word) ?? []));
    return [...tried].filter(({ pattern }) => text.search(pattern) >= 0);
  };
}

/** Words of which a text must have one: those of the cue's most particular word. */
function neededWords(cue: string): string[] {
  const needed = cue
    .split(' ')
    .filter((token) => !/^[\^$*]$|^\.\.$|\?$/.test(token))
    .map((token) => token.split('|'));
  return needed.toSorted((one, other) => one.length - other.length)[0] ?? [];
}

/**
 * A cue of the tables in `data/` as a pattern over a cue text. A cue is a row of words, each of which meets the word itself
 * and its other forms: `a|b` either, `word?` perhaps, `*` any one word, `..` up to four words, `^` and `$` the start and end.
 */
function compileCue(cue: string): RegExp {
  return new RegExp(cue.split(' ').map(compileToken).join(''), 'g');
}

function compileToken(token: string): string {
  if (token === '^' || token === '$') return token;
  if (token === '*') return '(?: \\S+)';
  if (token === '..') return '((?: \\S+){0,4}?)';
  const words = token
    .replace(/\?$/, '')
    .split('|')
    .map((word) => word.replace(/[.*+(){}[\]\\]/g, '\\$&'));
  const isOptional = token.endsWith('?');
  return `(?: (?:(?:${words.join('|')})/\\S+|\\S+/(?:${words.join('|')}))(?= |$))${isOptional ? '?' : ''}`;
}

/** The indexes of the words of `text` that a cue found; what stands in its gaps is not taken. */
export function wordsTaken(text: CueText, pattern: RegExp): number[] {
  const countWords = (part: string) => part.split(' ').length - 1;
  const taken: number[] = [];
  for (const found of text.matchAll(new RegExp(pattern.source, 'dg'))) {
    const first = countWords(text.slice(0, found.index));
    const inGaps = new Set<number>();
    for (const [from, to] of (found.indices ?? []).slice(1).filter((gap) => gap !== undefined)) {
      const start = countWords(text.slice(0, from));
      for (let index = 0; index < countWords(text.slice(from, to)); index += 1) inGaps.add(start + index);
    }
    for (let index = first; index < first + countWords(found[0]); index += 1)
      if (!inGaps.has(index)) taken.push(index);
  }
  return taken;
}
