import { diffLines, diffWordsWithSpace } from 'diff';

export type TextPart = { text: string; isChanged: boolean };

/** Words of two long texts that share nothing are compared for longer than anybody waits. */
const WORDS_TIMEOUT_MS = 300;

/** What differs between two texts, by word, or by line where words would take too long: each text whole, in its parts. */
export function textDifference(before: string, after: string): { before: TextPart[]; after: TextPart[] } {
  const parts =
    diffWordsWithSpace(before, after, { timeout: WORDS_TIMEOUT_MS }) ??
    diffLines(before, after, { timeout: WORDS_TIMEOUT_MS });
  if (!parts)
    return { before: [{ text: before, isChanged: true }], after: [{ text: after, isChanged: true }] };
  return {
    before: parts
      .filter((part) => !part.added)
      .map((part) => ({ text: part.value, isChanged: part.removed })),
    after: parts.filter((part) => !part.removed).map((part) => ({ text: part.value, isChanged: part.added })),
  };
}
