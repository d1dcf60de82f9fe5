import type { ChunkSource } from '#db/schema/knowledge.ts';

/** What of a chunk is embedded and searched: its text below the headings it stands under, which often name the subject. */
export function embeddedText(text: string, source: Pick<ChunkSource, 'headings'>): string {
  const headings = (source.headings ?? []).filter((heading) => !text.startsWith(heading));
  return headings.length === 0 ? text : `${headings.join(' > ')}\n\n${text}`;
}
