const MARKDOWN: readonly [RegExp, string][] = [
  [/```[\s\S]*?```/g, ' '],
  [/!\[[^\]]*\]\([^)]*\)/g, ' '],
  [/\[([^\]]+)\]\([^)]*\)/g, '$1'],
  [/<\/?[a-z][^>]*>/gi, ' '],
  [/^\s{0,3}#{1,6}\s+/gm, ''],
  [/^\s*(?:[-*+•]|\d{1,2}[.)])\s+/gm, ''],
  [/^\s*>\s?/gm, ''],
  [/^\s*[-*_]{3,}\s*$/gm, ''],
  [/\*\*|__|~~|`/g, ''],
  [/(^|\s)[*_](\S(?:.*?\S)?)[*_](?=\s|[.,!?;:]|$)/gm, '$1$2'],
];

/** Text as it can be said aloud: no markdown, no links, no placeholders, no emoji, single spaces. */
export function toSpokenText(text: string): string {
  let spoken = text;
  for (const [pattern, replacement] of MARKDOWN) spoken = spoken.replace(pattern, replacement);
  return spoken
    .replace(/\{\{[^}]*\}\}/g, ' ')
    .replace(/https?:\/\/(?:www\.)?(\S+?)\/?(?=[\s.,;!?)]*(?:\s|$))/g, '$1')
    .replace(/[\p{Extended_Pictographic}\u{FE0F}\u{200D}]/gu, ' ')
    .replace(/\s+([.,;!?])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}
