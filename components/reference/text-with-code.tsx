import { InlineCode } from '#components/ui/code-block.tsx';

/** A description of the OpenAPI document, whose `code` is marked with backticks as in Markdown. */
export function TextWithCode({ text }: { text: string }) {
  return text.split(/`([^`]+)`/).map((part, index) =>
    // Every second part stood between backticks; the text never changes, so places are keys.
    // oxlint-disable-next-line react/no-array-index-key
    index % 2 === 1 ? <InlineCode key={index}>{part}</InlineCode> : part,
  );
}
