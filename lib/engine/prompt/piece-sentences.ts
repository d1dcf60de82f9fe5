import { endsInAbbreviation } from '#lib/text/abbreviations.ts';
import type { Piece } from './pieces.ts';

/** Stands for a value or a gap where pieces are looked at as one text. */
export const ATOM = '\uFFFC';

/** Pieces as one text in which every value and gap is one character, so that nothing in a value ends a sentence. */
export function outlineOf(pieces: readonly Piece[]): string {
  return pieces.map((piece) => (piece.kind === 'text' ? piece.text : ATOM)).join('');
}

/** The pieces of each sentence, the blanks after it included. Their texts joined are the whole again. */
export function sentencesOf(pieces: readonly Piece[], isProse: boolean): Piece[][] {
  const ends = sentenceEnds(outlineOf(pieces), isProse);
  const sentences: Piece[][] = [[]];
  let at = 0;
  for (const piece of pieces) {
    if (piece.kind !== 'text') {
      sentences.at(-1)?.push(piece);
      at += 1;
      if (ends.has(at)) sentences.push([]);
      continue;
    }
    let from = 0;
    for (let index = 1; index <= piece.text.length; index += 1) {
      if (!ends.has(at + index)) continue;
      sentences.at(-1)?.push({ ...piece, text: piece.text.slice(from, index) });
      sentences.push([]);
      from = index;
    }
    if (from < piece.text.length) sentences.at(-1)?.push({ ...piece, text: piece.text.slice(from) });
    at += piece.text.length;
  }
  return sentences.filter((sentence) => sentence.length > 0);
}

/** How far a quoted text is believed to reach before its mark counts as a stray one. */
const MAX_QUOTE = 600;
/** Enough of the text before a blank to know what ends there. */
const LOOK_BACK = 24;

/**
 * Where sentences end, as offsets behind their blanks. In prose a line ends a sentence too, unless the next one goes
 * on with it. A sentence does not end inside a quotation: half of one is no sentence.
 */
function sentenceEnds(outline: string, isProse: boolean): Set<number> {
  const ends = new Set<number>();
  let quoteStart = -1;
  for (const match of outline.matchAll(/["“”„«»]|\s+/gu)) {
    if (match[0].trim() !== '') {
      quoteStart = quoteStart === -1 ? match.index : -1;
      continue;
    }
    const end = match.index + match[0].length;
    const before = outline.slice(Math.max(0, match.index - LOOK_BACK), match.index);
    const isLineEnd = endsLine(match[0], before, outline.slice(end, end + 8), isProse);
    const isQuoted = quoteStart !== -1 && end - quoteStart < MAX_QUOTE && !isLineEnd;
    if (isLineEnd) quoteStart = -1;
    if (isLineEnd || (!isQuoted && endsSentence(before, outline.slice(end, end + 12)))) ends.add(end);
  }
  return ends;
}

const NEXT_BLOCK = /^(?:[-*+•>|#]|\d{1,2}[.)]\s)/u;
const GOES_ON = new RegExp(`^[\\p{Ll}\\d,;(${ATOM}]`, 'u');

function endsLine(blanks: string, before: string, after: string, isProse: boolean): boolean {
  const breaks = blanks.split('\n').length - 1;
  if (breaks > 1) return true;
  if (breaks === 0 || !isProse) return false;
  return NEXT_BLOCK.test(after) || /[.!?:;…]$/u.test(before) || !GOES_ON.test(after);
}

const DAY = /(?:^|[^\d.,])\d{1,2}\.$/u;
const MONTH =
  /^(?:Jan|Feb|März|Mar|Apr|Mai|May|Jun|Jul|Aug|Sep|Okt|Oct|Nov|Dez|Dec|Uhr|Stock|Januar|Februar)/u;

function endsSentence(before: string, after: string): boolean {
  const said = before.replace(/["”“»'’)\]]+$/u, '');
  if (/[!?]$/u.test(said)) return true;
  if (!/[.…]$/u.test(said) || /^\p{Ll}/u.test(after)) return false;
  return !endsInAbbreviation(said, after) && !(DAY.test(said) && MONTH.test(after));
}
