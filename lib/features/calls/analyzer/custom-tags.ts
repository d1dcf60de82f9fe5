import { lastQuestion } from '#lib/text/abbreviations.ts';
import { type EnglishWord, readEnglish } from '#lib/text/english.ts';
import { moodOf } from './sentiment.ts';

/** Words of a tag's description that say nothing about what the tag is for, beside the library's stop words. */
const FRAME = new Set(
  `about ask asked asks asking call called caller callers calling calls client clients contact contacted conversation
   customer customers describe described describes doesn't express expressed expresses gave get give given gives got
   human individual inform informed know known let mention mentioned mentioning mentions need needed needs patient's
   people person phone please raise raised report reported reports request requested requesting requests said say saying
   says someone something somebody speak speaking speaks spoke state stated states talk talked talking tell telling tells
   told example instance e.g such use used user want wanted wanting wants wish wished wishes would like likes liked interested inquired inquires
   enquired wondered very really also any anything apply applies applied tag whether when`.split(/\s+/),
);

/** What people call the same thing, as word stems. */
export const SAME_THING: readonly (readonly string[])[] = [
  ['price', 'cost', 'fee', 'charg', 'rate', 'expens', 'cheap', 'howmuch'],
  ['pain', 'hurt', 'ach', 'sore', 'toothach', 'pains'],
  ['invoic', 'receipt'],
  ['refund', 'reimburs', 'moneyback'],
  ['parcel', 'packag', 'shipment', 'deliveri', 'deliv'],
  ['insur', 'insuranc', 'coverag'],
  ['address', 'locat', 'direct', 'park'],
  ['damag', 'broken', 'crush', 'broke'],
];
/** These words of a description are about how the person sounded. */
const DISPLEASED = new Set([
  'complain',
  'complaint',
  'angri',
  'upset',
  'annoi',
  'dissatisfi',
  'unhappi',
  'frustrat',
]);

type Wanted = { stem: string; isNegated: boolean };
type Said = { stems: Map<string, boolean>; mood: number };

/** What a person said, prepared for many descriptions. A "yes" says what the question before it said. */
export function preparedSaid(
  turns: readonly { speaker: 'agent' | 'human'; text: string }[],
  isYes: (text: string) => boolean,
): Said[] {
  return turns.flatMap((turn, index) => {
    if (turn.speaker !== 'human') return [];
    const asked = turns[index - 1];
    const question = asked?.speaker === 'agent' && isYes(turn.text) ? (lastQuestion(asked.text) ?? '') : '';
    return [turn.text, question]
      .filter((text) => text !== '')
      .flatMap((text) => readEnglish(joined(text)))
      .map((sentence) => ({ stems: stemsOf(sentence.words), mood: moodOf(sentence.text) }));
  });
}

/**
 * Whether something that the person said fits the description of a tag: all telling words of one of the alternatives
 * that the description names ("a fire or a gas leak") occur in one sentence, and not under a "not" unless the
 * description says so too. A description without telling words never fits: the keyless analyzer does not guess.
 */
export function descriptionFits(description: string, said: readonly Said[]): boolean {
  return alternativesOf(description).some((wanted) =>
    said.some((sentence) => wanted.every((word) => isSaid(word, sentence))),
  );
}

function alternativesOf(description: string): Wanted[][] {
  return readEnglish(joined(description))
    .flatMap((sentence) => sentence.text.split(/,|;|\bor\b|\//i))
    .map((part) => {
      // "the warranty of a product" is told by its first half.
      const head = tellingIn(part.split(/\b(?:of|for|with|from)\b/i)[0] ?? '');
      return head.length > 0 ? head : tellingIn(part);
    })
    .filter((wanted) => wanted.length > 0);
}

/** The words of a description that tell what it is about. */
export function tellingIn(part: string): Wanted[] {
  return readEnglish(part)
    .flatMap(({ words }) => words)
    .filter((word) => !word.isStopWord && !FRAME.has(word.text) && word.text.length > 1)
    .map(({ stem, isNegated }) => ({ stem, isNegated }));
}

function isSaid({ stem, isNegated }: Wanted, sentence: Said): boolean {
  if (DISPLEASED.has(stem) && sentence.mood < 0) return true;
  const names = SAME_THING.find((group) => group.includes(stem)) ?? [stem];
  return names.some((name) => sentence.stems.get(name) === isNegated);
}

/** Two words that mean one thing. */
function joined(text: string): string {
  return text.replace(/\bhow much\b/gi, 'howmuch').replace(/\bmoney back\b/gi, 'moneyback');
}

function stemsOf(words: readonly EnglishWord[]): Map<string, boolean> {
  return new Map(words.map(({ stem, isNegated }) => [stem, isNegated]));
}
