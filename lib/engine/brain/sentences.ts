/** A full stop after these is not the end of a sentence. */
const ABBREVIATION =
  /(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|No|vs|etc|approx|e\.g|i\.e|a\.m|p\.m|Jr|Sr|Inc|Ltd|Co|Ave|Rd)|\b[A-Z])\.$/;
const SENTENCE_END = /[.!?…]+["'”’)*_]*(?=\s|$)|\n+/g;

/** The sentences of a text, trimmed, without empty ones. */
export function splitSentences(text: string): string[] {
  const { sentences, rest } = takeSentences(text, true);
  return rest === '' ? sentences : [...sentences, rest];
}

/** Collects streamed text and hands out sentences as soon as they are complete. */
export function createSentenceCollector() {
  let buffer = '';
  return {
    push(delta: string): string[] {
      const { sentences, rest } = takeSentences(buffer + delta, false);
      buffer = rest;
      return sentences;
    },
    flush(): string[] {
      const last = splitSentences(buffer);
      buffer = '';
      return last;
    },
  };
}

function takeSentences(text: string, isWhole: boolean): { sentences: string[]; rest: string } {
  const sentences: string[] = [];
  let start = 0;
  for (const match of text.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length;
    // At the end of what has arrived, "3." may become "3.5" and "p." may become "p.m.".
    if (!isWhole && end === text.length) break;
    const candidate = text.slice(start, end).trim();
    if (ABBREVIATION.test(candidate) && !match[0].includes('\n')) continue;
    if (candidate !== '') sentences.push(candidate);
    start = end;
  }
  return { sentences, rest: isWhole ? text.slice(start).trim() : text.slice(start) };
}
