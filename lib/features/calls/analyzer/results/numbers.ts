export type SaidNumber = { value: number; text: string };

const SMALL: Record<string, number> = Object.fromEntries(
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
   nineteen`
    .split(/\s+/)
    .map((word, value) => [word, value]),
);
const TENS: Record<string, number> = Object.fromEntries(
  'twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, index) => [word, (index + 2) * 10]),
);
const SCALES: Record<string, number> = { hundred: 100, thousand: 1_000, million: 1_000_000 };
const GROUPS: Record<string, number> = { dozen: 12, couple: 2 };
/** "That one", "one moment": no number is said there. */
const BEFORE_PRONOUN =
  /\b(?:this|that|the|no|any|some|every|each|which|other|another|only|next|last|good)\s+$/i;
const AFTER_PRONOUN = /^\s+(?:moment|second|sec|thing|of|more|day|question|another|way)\b/i;
/** A time of day, a date and an ordinal are no numbers; nor are the digits inside of a code like A-1042. */
const NOT_COUNTED =
  /\b\w+ ?(?:[ap]\.?m\b|o'clock)|\b(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]* \d+|\b\d+ (?:jan|feb|mar|apr|june?|july?|aug|sep|oct|nov|dec)[a-z]*|\d+:\d+|\d{4}-\d\d-\d\d|\d+[./]\d+[./]\d+|\d+(?:st|nd|rd|th)\b|\b[a-z]+-?\d[\w-]*/gi;
const TOKEN = /(?:(?<!\w)-)?\d[\d,]*(?:\.\d+)?(?:k\b)?|[a-z]+/gi;

/** The numbers in an English sentence, in digits or in words, in their order. */
export function numbersIn(sentence: string): SaidNumber[] {
  const text = sentence.replace(NOT_COUNTED, (found) => '#'.repeat(found.length));
  const found: SaidNumber[] = [];
  let open: Open | undefined;
  const close = () => {
    if (open) found.push({ value: open.total + open.part, text: sentence.slice(open.from, open.to) });
    open = undefined;
  };
  for (const token of text.matchAll(TOKEN)) {
    const word = token[0].toLowerCase();
    const [from, to] = [token.index, token.index + token[0].length];
    if (open && !/^[\s-]*$/.test(text.slice(open.to, from))) close();
    const isPronoun =
      word === 'one' && (BEFORE_PRONOUN.test(text.slice(0, from)) || AFTER_PRONOUN.test(text.slice(to)));
    const next: Open | undefined = isPronoun ? undefined : continued(open, word, { from, to, text });
    if (next === undefined) close();
    else if (next.from === from && open) {
      close();
      open = next;
    } else open = next;
  }
  close();
  return found;
}

/** A number that is still being said: "two thousand" is 2,000 and a part of 0 so far. */
type Open = { from: number; to: number; total: number; part: number; canTake: 'unit' | 'scale' | 'any' };

/** The number with a word more; one that begins at the word where it is another; undefined where the word is none. */
function continued(
  open: Open | undefined,
  word: string,
  { from, to, text }: { from: number; to: number; text: string },
): Open | undefined {
  const fresh = { from, to, total: 0 };
  if (/^-?\d/.test(word)) return { ...fresh, part: inDigits(word), canTake: 'scale' };
  const small = SMALL[word];
  if (small !== undefined) {
    const joins = open && (open.canTake === 'any' || (open.canTake === 'unit' && small > 0 && small < 10));
    return joins
      ? { ...open, to, part: open.part + small, canTake: 'scale' }
      : { ...fresh, part: small, canTake: 'scale' };
  }
  const tens = TENS[word];
  if (tens !== undefined)
    return open?.canTake === 'any'
      ? { ...open, to, part: open.part + tens, canTake: 'unit' }
      : { ...fresh, part: tens, canTake: 'unit' };
  if (open && word === 'and' && open.canTake === 'any') return { ...open, to };
  const isArticle = open === undefined && /\b(?:a|an|another)\s+$/i.test(text.slice(0, from));
  const scale = SCALES[word];
  if (scale !== undefined && open)
    return scale === 100
      ? { ...open, to, part: open.part * scale, canTake: 'any' }
      : { ...open, to, total: open.total + open.part * scale, part: 0, canTake: 'any' };
  const counted = scale ?? GROUPS[word];
  return counted !== undefined && isArticle ? { ...fresh, part: counted, canTake: 'any' } : undefined;
}

function inDigits(word: string): number {
  const thousands = word.endsWith('k') ? 1_000 : 1;
  return Number(word.replace(/[,k]/g, '')) * thousands;
}
