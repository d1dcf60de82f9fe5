import type { Turn } from '#lib/features/conversations/turns/contract.ts';

/** A word of a turn: where it stands in the text, and when it was said, in milliseconds of the recording. */
export type TurnWord = { index: number; from: number; to: number; startMs: number };

/** The words of a turn. Where nobody knows their times, they lie in the turn by their letters. */
export function turnWords({ text, startedMs, endedMs, wordStartsMs }: Turn): TurnWord[] {
  const words = [...text.matchAll(/\S+/g)].map((match, index) => ({
    index,
    from: match.index,
    to: match.index + match[0].length,
  }));
  if (wordStartsMs?.length === words.length)
    return words.map((word, index) => ({ ...word, startMs: startedMs + (wordStartsMs[index] ?? 0) }));
  const msPerLetter = (endedMs - startedMs) / Math.max(1, text.length);
  return words.map((word) => ({ ...word, startMs: startedMs + word.from * msPerLetter }));
}

/** The word that is heard at a moment: the last one that has begun. -1 before the first. */
export function wordIndexAt(words: readonly TurnWord[], positionMs: number): number {
  return words.findLastIndex((word) => word.startMs <= positionMs);
}

/** The word at a place in the text, or the next one. */
export function wordAtOffset(words: readonly TurnWord[], offset: number): TurnWord | undefined {
  return words.find((word) => offset < word.to) ?? words.at(-1);
}

/** How far into the text of `element` a point of the page lies; undefined where it is not over its text. */
export function textOffsetAt(element: Element, x: number, y: number): number | undefined {
  const place = caretAt(x, y);
  if (!place || !element.contains(place.node)) return undefined;
  const range = document.createRange();
  range.selectNodeContents(element);
  range.setEnd(place.node, place.offset);
  return range.toString().length;
}

type CaretDocument = {
  caretPositionFromPoint?: (x: number, y: number) => { offsetNode: Node; offset: number } | null;
  caretRangeFromPoint?: (x: number, y: number) => Range | null;
};

/** Browsers have one of the two. */
function caretAt(x: number, y: number): { node: Node; offset: number } | undefined {
  const page = document as CaretDocument;
  const position = page.caretPositionFromPoint?.call(document, x, y);
  if (position) return { node: position.offsetNode, offset: position.offset };
  const range = page.caretRangeFromPoint?.call(document, x, y);
  return range ? { node: range.startContainer, offset: range.startOffset } : undefined;
}
