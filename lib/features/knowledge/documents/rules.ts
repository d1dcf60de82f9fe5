type Piece = { text: string; source: { start: number; end: number; prefixLength?: number } };

/** Joins overlapping chunks back into the text they were cut from; what the chunks left out was white space. */
export function joinExtractedText(pieces: Piece[], range: { start: number; end: number }): string {
  let text = '';
  let at = range.start;
  for (const { text: chunk, source } of pieces) {
    const body = chunk.slice(source.prefixLength ?? 0);
    if (source.start > at) {
      // Between two blocks stands one line break or an empty line.
      const gap = Math.min(source.start, range.end) - at;
      text += gap === 1 ? '\n' : '\n\n'.padEnd(Math.min(gap, 2));
      at += gap;
    }
    if (source.end <= at || source.start >= range.end) continue;
    text += body.slice(at - source.start, range.end - source.start);
    at = Math.min(source.end, range.end);
  }
  return text;
}
