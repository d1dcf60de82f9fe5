import { splitAtWords, type WordMatching } from './word-highlights.ts';

type HighlightedTextProps = { text: string; words: readonly string[]; matching?: WordMatching };

/** The words that matched, in the text they matched in. */
export function HighlightedText({ text, words, matching = 'beginning' }: HighlightedTextProps) {
  return splitAtWords(text, words, matching).map((part) =>
    part.isMatch ? (
      <mark key={part.start} className="rounded-xs bg-warning-soft text-ink">
        {part.text}
      </mark>
    ) : (
      <span key={part.start}>{part.text}</span>
    ),
  );
}
