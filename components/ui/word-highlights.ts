/** How a search found its words: where they begin one, with any ending; or anywhere, as a part of a word too. */
export type WordMatching = 'beginning' | 'anywhere';

/** The text in parts, those that match marked. Nothing of it is lost. */
export function splitAtWords(
  text: string,
  words: readonly string[],
  matching: WordMatching = 'beginning',
): { text: string; start: number; isMatch: boolean }[] {
  const patterns = words
    .filter((word) => word.trim() !== '')
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (patterns.length === 0) return [{ text, start: 0, isMatch: false }];
  const found = `(?:${patterns.join('|')})`;
  const matcher = new RegExp(
    matching === 'anywhere' ? found : `(?<![\\p{L}\\p{N}])${found}[\\p{L}\\p{N}]*`,
    'giu',
  );
  const parts: { text: string; start: number; isMatch: boolean }[] = [];
  let end = 0;
  for (const match of text.matchAll(matcher)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index), start: end, isMatch: false });
    parts.push({ text: match[0], start: match.index, isMatch: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), start: end, isMatch: false });
  return parts;
}

/** Without the empty lines between paragraphs, which cost a short excerpt half its room. */
export function tightened(text: string): string {
  return text.trim().replace(/\n\s*\n/g, '\n');
}

const BEFORE_MATCH = 120;

/** The text from a little before its first match, so that a cut-off end does not hide why it was found. */
export function excerptOf(text: string, words: readonly string[]): string {
  const tight = tightened(text);
  const first = splitAtWords(tight, words).find((part) => part.isMatch);
  if (!first || first.start <= 2 * BEFORE_MATCH) return tight;
  const start = first.start - BEFORE_MATCH;
  const space = tight.slice(start, first.start).search(/\s/);
  return `… ${tight.slice(space === -1 ? first.start : start + space).trimStart()}`;
}
