import { endsInAbbreviation } from '#lib/text/abbreviations.ts';

const ORDINAL = /(?<![\d.,:])\d{1,2}\.$/;
/** Languages that write ordinals with a full stop: "am 3. März". */
const ORDINAL_LANGUAGES = /^(?:cs|da|de|et|fi|hr|hu|is|lv|nb|nn|no|pl|sk|sl|sr|tr)\b/;
const SENTENCE_END = /[.!?…]+["'”’)*_»]*(?=\s|$)|[。！？।؟]+["'”’)*_」』]*|\n+/gu;
/** Speech is made sentence by sentence: one without an end would be waited for without an end. */
const MAX_SENTENCE_CHARACTERS = 280;
const SHORTEST_CUT_CHARACTERS = 80;

/** The sentences of a text, trimmed, without empty ones. `language` is BCP 47. */
export function splitSentences(text: string, language = 'en'): string[] {
  const { sentences, rest } = takeSentences(text, { isWhole: true, language });
  return rest === '' ? sentences : [...sentences, rest];
}

/**
 * The sentences at the beginning of `text`, and what is left. Unless `isWhole`, more text may follow: a sentence that
 * ends where the text does is then left, since "3." may become "3.5" and "p." may become "p.m.".
 */
export function takeSentences(
  text: string,
  { isWhole, language = 'en' }: { isWhole: boolean; language?: string | undefined },
): { sentences: string[]; rest: string } {
  // German alone writes what follows with a capital: "am 3. März", "dne 3. března".
  const goesOn = language.startsWith('de') ? /^/ : /^\s*(?:$|[^\p{Lu}\s])/u;
  const isOrdinal = (candidate: string, after: string) =>
    ORDINAL_LANGUAGES.test(language) && ORDINAL.test(candidate) && goesOn.test(after);
  const sentences: string[] = [];
  let start = 0;
  for (const match of text.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length;
    if (!isWhole && end === text.length) break;
    const candidate = text.slice(start, end).trim();
    const isLineEnd = match[0].includes('\n') || end === text.length;
    const after = text.slice(end, end + 24);
    if (!isLineEnd && (endsInAbbreviation(candidate, after) || isOrdinal(candidate, after))) continue;
    sentences.push(...cutLong(candidate).filter((piece) => piece !== ''));
    start = end;
  }
  const left = text.slice(start);
  const pieces = cutLong(left);
  const rest = pieces.pop() ?? '';
  sentences.push(...pieces);
  return { sentences, rest: isWhole ? rest.trim() : rest };
}

/** Cuts where the last clause or word ends that still fits; only the last piece may be shorter than it has to be. */
function cutLong(text: string): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > MAX_SENTENCE_CHARACTERS) {
    const window = rest.slice(0, MAX_SENTENCE_CHARACTERS);
    const clause = Math.max(
      ...[', ', '; ', ': ', ' – ', '，', '、', '；'].map((mark) => window.lastIndexOf(mark)),
    );
    const space = window.lastIndexOf(' ');
    const cut = clause >= SHORTEST_CUT_CHARACTERS ? clause + 1 : space > 0 ? space : MAX_SENTENCE_CHARACTERS;
    pieces.push(rest.slice(0, cut).trim());
    rest = rest.slice(cut).trimStart();
  }
  pieces.push(rest);
  return pieces;
}
