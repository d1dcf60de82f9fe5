import { isStopWord, termsOf } from '#lib/text/terms.ts';
import table from './data/answers.json' with { type: 'json' };
import { ANSWER, isAbout, KNOWN_TERMS, likeness, type Meaning, readMeanings } from './meaning.ts';
import { type Passage, readPassages } from './passages.ts';

const MAX_CHARACTERS = 320;
/** So much of what a question names has to be in the answer where it asks for one thing of many. */
const MIN_SHARE = 0.35;
const SAME_TOPIC = 0.8;
/** A second sentence of the same section is spoken with the first where it answers nearly as well. */
const NEARLY = 1.2;
const FACTS = Object.entries(table.facts).map(([name, { asked, told }]) => ({
  name,
  asked: new RegExp(asked, 'i'),
  told: new RegExp(told, 'i'),
}));
/** Words of questions that ask about nothing by themselves. */
const GENERIC = new Set(termsOf(table.generic));
const PRONOUN = /\b(?:it|that|this|they|one)\b/i;

/** `within`: topics of which the answer has to be; `sure`: how much better than no answer it has to be. */
export type Search = { within?: readonly string[] | undefined; sure?: number };
/** How a passage answers a question, each from 0 to 1: the numbers that the training weighs. */
type Features = readonly number[];
type Candidate = { passage: Passage; index: number; features: Features; score: number };

/**
 * The one or two sentences of `texts` that answer `question`, as they can be spoken; undefined where nothing there does.
 * A sentence answers with the heading it stands below: its meaning and its words are held against those of the question.
 */
export async function findAnswer(
  question: string,
  texts: readonly string[],
  { within, sure = 0 }: Search = {},
): Promise<string | undefined> {
  const passages = texts.flatMap((text, index) =>
    readPassages(text).map((passage) => ({ ...passage, group: passage.group + index * 10_000 })),
  );
  const candidates = (await weighPassages(question, passages, within)).toSorted(
    (one, other) => other.score - one.score,
  );
  const [best] = candidates;
  if (!best || best.score < sure) return undefined;
  const also = candidates.find(
    (candidate) => candidate !== best && isBeside(candidate.passage, best.passage),
  );
  const isAlsoAnswer = also && also.score > Math.max(0, best.score - NEARLY);
  return speak(
    isAlsoAnswer ? [best, also].toSorted((one, other) => one.index - other.index) : [best],
    passages,
  );
}

async function weighPassages(
  question: string,
  passages: readonly Passage[],
  within: readonly string[] | undefined,
): Promise<Candidate[]> {
  const [asked, ...rest] = await readMeanings([
    question,
    ...passages.map(withHeading),
    ...passages.map(({ path }) => path.at(-1) ?? ''),
  ]);
  if (!asked) return [];
  const words = readWords(passages);
  // "Do you paint cars?" is not answered by what else is done with cars.
  const isOneOfMany = isAbout(asked, ...table.particular) >= 0.4;
  const isParticular =
    isOneOfMany ||
    // A question with a word beyond the examples asks for that very thing.
    tellingTerms(question).some((term) => !KNOWN_TERMS.has(term) && !words.has(term));
  return passages.flatMap((passage, index) => {
    const [whole, heading] = [rest[index], rest[index + passages.length]];
    if (!whole || !heading) return [];
    const shares = sharesOf(question, words.of(index));
    const isNear = likeness(asked.topics, whole.topics) >= SAME_TOPIC;
    const lacksThing = isParticular && (isOneOfMany || !isNear) && (shares[1] ?? 0) < MIN_SHARE;
    const isElse = within !== undefined && isAbout(whole, ...within) < 0.5;
    const sharesNone = shares.every((share) => share === 0);
    const isFirst = passages[index - 1]?.group !== passage.group;
    const features = [
      ...(passage.path.length > 0 ? like(asked, heading) : [0, 0]),
      ...like(asked, whole),
      ...shares,
      isFirst ? 1 : 0,
      sharesNone ? 1 : 0,
      ...FACTS.map(({ asked: asks, told }) => (asks.test(question) ? (told.test(passage.text) ? 1 : -1) : 0)),
    ];
    const score = lacksThing || isElse ? -Infinity : weigh(features);
    return [{ passage, index, features, score }];
  });
}

/** For the training of the weights: the features of every passage. */
export async function featuresOf(question: string, passages: readonly Passage[]): Promise<Features[]> {
  return (await weighPassages(question, passages, undefined)).map(({ features }) => features);
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

type Words = { own: ReadonlySet<string>; all: ReadonlySet<string>; rarity(term: string): number };

/** The words of each passage, and how telling they are among all of them. */
function readWords(passages: readonly Passage[]) {
  const read = passages.map(({ text, path }) => {
    const own = new Set(termsOf(text));
    return { own, all: new Set([...own, ...path.slice(1).flatMap(termsOf)]) };
  });
  const rarity = (term: string) => {
    const count = read.filter(({ all }) => all.has(term)).length;
    return Math.log((passages.length + 1) / (count + 0.5));
  };
  const none: ReadonlySet<string> = new Set();
  return {
    of: (index: number): Words => ({ own: none, all: none, ...read[index], rarity }),
    has: (term: string) => read.some(({ all }) => all.has(term)),
  };
}

/** The share of the question's telling words that a passage has, without and with its headings. */
function sharesOf(question: string, { own, all, rarity }: Words): number[] {
  const sumOf = (terms: readonly string[]) => terms.reduce((sum, term) => sum + rarity(term), 0);
  const asked = tellingTerms(question);
  const sought = sumOf(asked) || 1;
  return [own, all].map((words) => sumOf(asked.filter((term) => words.has(term))) / sought);
}

function tellingTerms(question: string): string[] {
  return termsOf(question).filter((term) => !isStopWord(term) && !GENERIC.has(term));
}

/** Whether a question says what it is about: "how much is it" and "how long does that take" do not. */
export function namesSubject(question: string): boolean {
  return tellingTerms(question).length > 0 || !PRONOUN.test(question);
}

function isBeside(one: Passage, other: Passage): boolean {
  return one.path.join('\n') === other.path.join('\n');
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
