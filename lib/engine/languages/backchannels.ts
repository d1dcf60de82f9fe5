import type { Language } from './language.ts';

/** What people hum in any language. */
const EVERYWHERE = /^(?:m+|h?m+h+m*|mm+hm+|h+m+|uh+|ah+|oh+|aha+|hm+|ok|okay)$/;

/**
 * Whether these are signs of listening ("uh-huh", "ja, genau", "d'accord") that do not ask the agent to stop: nothing
 * but words of the language's `backchannels`, in any order and number. Spelling, case and punctuation do not matter.
 * For whoever decides about interruptions (turn-timing.ts).
 */
export function isBackchannelIn(
  { backchannels }: Pick<Language, 'backchannels'>,
  utterance: string,
): boolean {
  const words = wordsOf(utterance);
  if (words.length === 0) return false;
  const known = backchannels.map(wordsOf);
  let at = 0;
  while (at < words.length) {
    const start = at;
    const longest = Math.max(
      0,
      ...known.filter((phrase) => startsWith(words, start, phrase)).map((phrase) => phrase.length),
    );
    const length = longest > 0 ? longest : EVERYWHERE.test(words[at] ?? '') ? 1 : 0;
    if (length === 0) return false;
    at += length;
  }
  return true;
}

function startsWith(words: readonly string[], at: number, phrase: readonly string[]): boolean {
  return phrase.every((word, index) => words[at + index] === word);
}

/** Lower case, without punctuation; a word that is drawn out ("jaaa") counts as itself. */
function wordsOf(text: string): string[] {
  const plain = text.normalize('NFC').toLowerCase().replace(/’/g, "'");
  return (plain.match(/[\p{L}\p{M}']+/gu) ?? []).map((word) => word.replace(/(\p{L})\1{2,}/gu, '$1'));
}
