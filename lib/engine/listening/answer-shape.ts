import { ANSWER_KINDS, type AnswerKind, type TurnCues } from '#lib/engine/languages/turn-cue.ts';

/** How the words of a turn end, as far as it matters for whether more comes. */
export type Ending =
  | 'filler'
  | 'unfinished'
  | 'perhaps_unfinished'
  | 'spelled'
  | 'digits'
  | 'address_unfinished'
  | 'open'
  | 'sentence';

/** What `text`, the agent's last words, asks for; undefined where it is nothing that people give in pieces. */
export function askedFor(text: string, cues: TurnCues): AnswerKind | undefined {
  const question = ` ${lastSentences(text)
    .toLowerCase()
    .replace(/[\s.,;:!?¿¡«»"„“”]+/gu, ' ')}`;
  return ANSWER_KINDS.find((kind) => cues.asksFor[kind].split(',').some((part) => question.includes(part)));
}

/** How `text` ends. Punctuation counts only where there is some: not every transcription writes it. */
export function endingOf(text: string, cues: TurnCues): Ending {
  const plain = text.trim().toLowerCase();
  const words = wordsOf(plain);
  const ends = (list: string) => endsWithOne(plain, words, list, cues);
  if (ends(cues.fillers)) return 'filler';
  if (isAddressBegun(words, plain, cues)) return 'address_unfinished';
  if (ends(cues.unfinished) || /(?:…|\.\.\.|[-–—])$/.test(plain)) return 'unfinished';
  if (digitsAtEnd(words, cues) >= 2) return 'digits';
  if (words.slice(-2).every((word) => /^\p{L}$/u.test(word)) && words.length > 1) return 'spelled';
  if (ends(cues.perhapsUnfinished) || plain.endsWith(',')) return 'perhaps_unfinished';
  return /[.!?。！？]["'”’)»]*$/.test(plain) ? 'sentence' : 'open';
}

/** How many digits a text ends with, written or in words. */
export function countDigits(text: string, cues: TurnCues): number {
  return digitsAtEnd(wordsOf(text.trim().toLowerCase()), cues);
}

/** True for an e-mail address that is whole, written or dictated ("anna at example dot com"). */
export function isWholeAddress(text: string, cues: TurnCues): boolean {
  const plain = text.trim().toLowerCase();
  if (/[^\s@]@[^\s@]+\.\p{L}{2,}[.!?]?$/u.test(plain)) return true;
  const words = wordsOf(plain);
  const at = words.findIndex((word) => has(cues.spelledAddress.at, word));
  const dot = words.findLastIndex((word) => has(cues.spelledAddress.dot, word));
  return at > 0 && dot > at && (words.at(-1)?.length ?? 0) >= 2 && dot < words.length - 1;
}

/** An address was begun (there is an @) and ends in the middle. */
function isAddressBegun(words: string[], plain: string, cues: TurnCues): boolean {
  if (isWholeAddress(plain, cues)) return false;
  const last = words.at(-1) ?? '';
  const hasAt = plain.includes('@') || words.some((word) => has(cues.spelledAddress.at, word));
  return plain.endsWith('@') || (hasAt && has(cues.spelledAddress.dot, last));
}

function endsWithOne(plain: string, words: string[], list: string, cues: TurnCues): boolean {
  if (!cues.hasNoSpaces) return has(list, words.at(-1) ?? '');
  const bare = plain.replace(/[\p{P}\s]+$/u, '');
  return list.split(' ').some((end) => bare.endsWith(end));
}

function digitsAtEnd(words: string[], cues: TurnCues): number {
  let count = 0;
  for (const word of words.toReversed()) {
    const digits = word.replace(/\D/g, '').length;
    const isSpoken =
      has(cues.digits, word) || (cues.hasNoSpaces && Array.from(word).every((one) => has(cues.digits, one)));
    if (digits === 0 && !isSpoken) break;
    count += digits > 0 ? digits : cues.hasNoSpaces ? Array.from(word).length : 1;
  }
  return count;
}

/** A question is in the last two sentences, or nobody remembers it. */
function lastSentences(text: string): string {
  return text
    .split(/(?<=[.!?。！？])\s*/)
    .slice(-2)
    .join(' ');
}

function has(list: string, word: string): boolean {
  return word !== '' && list.split(' ').includes(word);
}

/** Words with their apostrophes and hyphens inside; numbers with what stands between their digits. */
function wordsOf(plain: string): string[] {
  return plain.replace(/’/g, "'").match(/\d[\d.,/-]*|[\p{L}\p{M}]+(?:['-][\p{L}\p{M}]+)*'?/gu) ?? [];
}
