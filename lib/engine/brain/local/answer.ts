import { isStopWord, termsOf } from '#lib/text/terms.ts';
import table from './data/answers.json' with { type: 'json' };
import { ANSWER, isAbout, KNOWN_TERMS, likeness, type Meaning, readMeanings } from './meaning.ts';
import { type Passage, readPassages } from './passages.ts';

const MAX_CHARACTERS = 260;
const MAX_SENTENCES = 3;
/** How much better than no answer the best one has to be, the lead over the next section counted in (docs/decisions/0177). */
const LEAST = 1.8;
const LEAD_WEIGHT = 0.5;
const MOST_LEAD = 4;
/** So much of what a question names has to be in the answer where it asks for one thing of many. */
const MIN_SHARE = 0.35;
const SAME_TOPIC = 0.6;
/** A second sentence of the same section is spoken with the first where it answers nearly as well. */
const NEARLY = 1.2;
const SAME_SECTION = 6;
const FACTS = Object.entries(table.facts).map(([name, { asked, told }]) => ({
  name,
  asked: new RegExp(asked, 'i'),
  told: new RegExp(told, 'i'),
}));
/** Words of questions that ask about nothing by themselves. */
const GENERIC = new Set(termsOf(table.generic));
const PRICED = /\d\s?(?:euros?|dollars?|pounds?)\b|[$€£]\s?\d/i;
const PRONOUN = /\b(?:it|that|this|they|one)\b/i;

/**
 * `within`: topics of which the answer has to be; `mentions`: whom it has to name; `sure`: how much better than no answer it
 * has to be.
 */
export type Search = {
  within?: readonly string[] | undefined;
  mentions?: string | undefined;
  sure?: number;
};
/** How a passage answers a question, each from 0 to 1: the numbers that the training weighs. */
type Features = readonly number[];
type Candidate = {
  passage: Passage;
  index: number;
  features: Features;
  score: number;
  /** A priced row of a list or table, and how much of what the question names it has. */
  isRow: boolean;
  share: number;
};

/**
 * The one or two sentences of `texts` that answer `question`, as they can be spoken; undefined where nothing there does.
 * A sentence answers with the heading it stands below: its meaning and its words are held against those of the question.
 */
export async function findAnswer(
  question: string,
  texts: readonly string[],
  { within, mentions, sure = 0 }: Search = {},
): Promise<string | undefined> {
  const passages = texts.flatMap((text, index) =>
    readPassages(text).map((passage) => ({ ...passage, group: passage.group + index * 10_000 })),
  );
  const candidates = (await weighPassages(question, passages, { within, mentions })).toSorted(
    (one, other) => other.score - one.score,
  );
  const [best] = candidates;
  if (!best) return undefined;
  const other = candidates.find(({ passage }) => passage.path.join('\n') !== best.passage.path.join('\n'));
  const lead = Math.min(MOST_LEAD, best.score - (other?.score ?? -Infinity));
  if (best.score < sure || best.score + LEAD_WEIGHT * lead < LEAST) return undefined;
  const chosen = [best];
  let length = best.passage.text.length;
  // Which of a section's sentences answers is less clear than which section: short ones are spoken whole.
  for (const candidate of candidates) {
    const { text, path } = candidate.passage;
    const isBeside = candidate !== best && path.join('\n') === best.passage.path.join('\n');
    const isNear = candidate.score > best.score - (candidate.passage.isItem ? NEARLY : SAME_SECTION);
    // Of rows that differ in their words alone, one that has fewer of those that were asked for answers something else.
    const isOther = candidate.isRow && candidate.share < best.share;
    if (!isBeside || !isNear || isOther || length + text.length > MAX_CHARACTERS) continue;
    chosen.push(candidate);
    length += text.length;
    if (chosen.length === MAX_SENTENCES) break;
  }
  return speak(
    chosen.toSorted((one, other) => one.index - other.index),
    passages,
  );
}

async function weighPassages(
  question: string,
  passages: readonly Passage[],
  { within, mentions }: Pick<Search, 'within' | 'mentions'>,
): Promise<Candidate[]> {
  const [asked, ...rest] = await readMeanings([
    question,
    ...passages.map(withHeading),
    ...passages.map(({ path }) => path.at(-1) ?? ''),
    ...passages.map(({ text }) => text),
  ]);
  if (!asked) return [];
  const words = readWords(question, passages);
  // "Do you paint cars?" is not answered by what else is done with cars.
  const isOneOfMany = isAbout(asked, ...table.particular) >= 0.4;
  const isParticular =
    isOneOfMany ||
    // A question with a word beyond the examples asks for that very thing.
    words.asked.some((term) => !KNOWN_TERMS.has(term) && !words.isKnown(term));
  const asks = FACTS.map(({ asked: pattern }) => pattern.test(question));
  return passages.flatMap((passage, index) => {
    const [whole, heading, own] = [0, 1, 2].map((part) => rest[index + part * passages.length]);
    if (!whole || !heading || !own) return [];
    const shares = words.sharesOf(index);
    const isNear = [whole, own].some(({ topics }) => likeness(asked.topics, topics) >= SAME_TOPIC);
    const lacksThing = isParticular && (isOneOfMany || !isNear) && (shares[1] ?? 0) < MIN_SHARE;
    const isElse =
      (within !== undefined && isAbout(whole, ...within) < 0.5) ||
      (mentions !== undefined && !names(passage, mentions));
    const isRow = (passage.isItem && PRICED.test(passage.text)) || isRecord(passage);
    const sharesNone = shares.every((share) => share === 0);
    const isFirst = passages[index - 1]?.group !== passage.group;
    const features = [
      ...(passage.path.length > 0 ? like(asked, heading) : [0, 0]),
      ...like(asked, whole),
      likeness(asked.vector, own.vector),
      Math.max(likeness(asked.topics, own.topics), likeness(asked.topics, whole.topics)),
      ...shares,
      isFirst ? 1 : 0,
      sharesNone ? 1 : 0,
      ...FACTS.map(({ told }, fact) => (asks[fact] ? (told.test(passage.text) ? 1 : -1) : 0)),
    ];
    // Rows differ in their words alone.
    const isAnyRow = isRow && sharesNone && words.asked.length > 0;
    const score = lacksThing || isElse || isAnyRow ? -Infinity : weigh(features);
    return [{ passage, index, features, score, isRow, share: shares[1] ?? 0 }];
  });
}

function names({ text, path }: Passage, person: string): boolean {
  return [text, ...path].some((part) => part.toLowerCase().includes(person.toLowerCase()));
}

/** "Crown costs 900 dollars" below the row it was made of. */
function isRecord({ path, text }: Passage): boolean {
  return path.at(-1)?.split(',')[0] === text.split(/ (?:costs|takes|is) |:/)[0];
}

/** For the training of the weights: the features of every passage. */
export async function featuresOf(question: string, passages: readonly Passage[]): Promise<Features[]> {
  return (await weighPassages(question, passages, {})).map(({ features }) => features);
}

function weigh(features: Features): number {
  return features.reduce((sum, feature, index) => sum + feature * (ANSWER.weights[index] ?? 0), ANSWER.bias);
}

function like(one: Meaning, other: Meaning): number[] {
  return [likeness(one.vector, other.vector), likeness(one.topics, other.topics)];
}

function withHeading({ path, text }: Passage): string {
  const heading = path.at(-1) ?? '';
  return heading === '' ? text : `${heading}${/[.?!]$/.test(heading) ? ' ' : ': '}${text}`;
}

/** The words of each passage, held against the telling ones of a question: what does not change from one to the next is read once. */
function readWords(question: string, passages: readonly Passage[]) {
  const read = passages.map(({ text, path }) => {
    const own = new Set(termsOf(text));
    return { own, all: new Set([...own, ...path.slice(1).flatMap(termsOf)]) };
  });
  const asked = tellingTerms(question);
  const isKnown = (term: string) => read.some(({ all }) => all.has(term));
  /** How telling each term is among all passages. */
  const rarities = new Map(
    asked.map((term) => {
      const count = read.filter(({ all }) => all.has(term)).length;
      return [term, Math.log((passages.length + 1) / (count + 0.5))];
    }),
  );
  const rarity = (term: string) => rarities.get(term) ?? 0;
  const sumOf = (terms: readonly string[]) => terms.reduce((sum, term) => sum + rarity(term), 0);
  const sought = sumOf(asked) || 1;
  const known = asked.filter(isKnown);
  const soughtKnown = sumOf(known) || 1;
  const rarest = known.toSorted((one, other) => rarity(other) - rarity(one))[0];
  const none: ReadonlySet<string> = new Set();

  /** The share of the question's telling words that a passage has, without and with its headings, and whether it has the rarest. */
  function sharesOf(index: number): number[] {
    const { own, all } = read[index] ?? { own: none, all: none };
    return [
      ...[own, all].map((words) => sumOf(asked.filter((term) => words.has(term))) / sought),
      sumOf(known.filter((term) => all.has(term))) / soughtKnown,
      rarest !== undefined && all.has(rarest) ? 1 : 0,
    ];
  }

  return { asked, isKnown, sharesOf };
}

function tellingTerms(question: string): string[] {
  return termsOf(question).filter((term) => !isStopWord(term) && !GENERIC.has(term));
}

/** Whether a question says what it is about: "how much is it" and "how long does that take" do not. */
export function namesSubject(question: string): boolean {
  return tellingTerms(question).length > 0 || !PRONOUN.test(question);
}

/** As sentences, with what goes on after a single one. */
function speak(chosen: readonly Candidate[], passages: readonly Passage[]): string {
  const [first] = chosen;
  const next = first && chosen.length === 1 ? passages[first.index + 1] : undefined;
  const goesOn = next && next.group === first?.passage.group && !next.isItem && continues(next);
  const texts = [...chosen.map(({ passage }) => passage.text), ...(goesOn ? [next.text] : [])].map(
    asSentence,
  );
  const whole = texts.join(' ');
  return whole.length > MAX_CHARACTERS ? asSentence(shorten(texts[0] ?? '')) : whole;
}

function continues(next: Passage): boolean {
  return (
    (next.path.at(-1) ?? '').endsWith('?') ||
    /^(?:it|they|this|that|these|there|on|please|otherwise|however|also|in addition|we are closed)\b/i.test(
      next.text,
    )
  );
}

function shorten(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  const cut = text.slice(0, MAX_CHARACTERS);
  const border = Math.max(cut.lastIndexOf('; '), cut.lastIndexOf(', '), cut.lastIndexOf('. '));
  return cut.slice(0, border > 80 ? border : cut.lastIndexOf(' '));
}

function asSentence(text: string): string {
  const trimmed = text.trim().replace(/[,;:]$/, '');
  const capital = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}
