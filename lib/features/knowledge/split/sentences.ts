import { endsInAbbreviation } from '#lib/text/abbreviations.ts';

/** Half-open stretch of a text, in UTF-16 units. */
export type Span = { start: number; end: number };

// ICU knows sentence ends in every script, full stops of abbreviations it does not.
const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
const wordSegmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** A line that was only wrapped: the next one goes on in small letters. ICU would end the sentence at every line. */
const WRAPPED_LINE = /(?<=[^.!?:;。！？\n])\n(?=\p{Ll})/gu;

/** The sentences of `text`, in order and without gaps. */
export function sentencesOf(text: string): Span[] {
  const spans: Span[] = [];
  let start = 0;
  for (const { segment, index } of segmenter.segment(text.replace(WRAPPED_LINE, ' '))) {
    const end = index + segment.length;
    const isLineEnd = segment.includes('\n', segment.length - 2);
    if (!isLineEnd && endsInAbbreviation(segment.trimEnd(), text.slice(end, end + 24))) continue;
    spans.push({ start, end });
    start = end;
  }
  if (start < text.length) spans.push({ start, end: text.length });
  return spans;
}

/** The last border between words at or before `limit`, at least `least`; else one that splits no character. */
export function lastWordBorder(text: string, least: number, limit: number): number {
  // From a little before: a script without spaces needs some context to find its words.
  const from = Math.max(0, limit - 200);
  let border = 0;
  for (const { index } of wordSegmenter.segment(text.slice(from, limit + 20))) {
    if (from + index <= limit && index > 0) border = from + index;
  }
  if (border >= least) return border;
  const code = text.charCodeAt(limit - 1);
  return code >= 0xd800 && code <= 0xdbff ? limit - 1 : limit;
}
