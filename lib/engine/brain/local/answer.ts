import { DAYS, REQUIRED_FACTS, type Topic, topicOf } from './concepts.ts';
import table from './data/concepts.json' with { type: 'json' };
import { type Passage, readPassages } from './passages.ts';

/** So much of what the question is about has to be in what is spoken as its answer, or above it. */
const MIN_SCORE = 0.6;
const MAX_CHARACTERS = 320;
/** A question may name a day that the answer does not: "closed on Sunday" is said by "open Monday to Friday". */
const DAY_WEIGHT = 0.4;
const MINOR_WEIGHT = 0.8;
/** Among equals: the section's own sentences, its first one, and the one in the words of the question. */
const HEADING_BONUS = 0.08;
const FIRST_BONUS = 0.03;
const WORDS_BONUS = 0.1;
const FAINT_WEIGHT = 0.4;
const MINOR: ReadonlySet<string> = new Set(table.minor);
/** Asked for by themselves, these are the business's: "where are you", "what are your prices". */
const ALONE: ReadonlySet<string> = new Set(['address', 'price', 'pay']);
const PRONOUN = /\b(?:it|that|this)\b/i;
const FAINT: ReadonlySet<string> = new Set(table.faint);
const EXPECTED_FACTS: Readonly<Record<string, string>> = table.expected;
const RELATED: Readonly<Record<string, readonly string[]>> = table.related;
const DAY_NAMES: ReadonlySet<string> = new Set(DAYS);

/**
 * The one or two sentences of `texts` that answer `question`, as they can be spoken; undefined where nothing there does.
 * A sentence answers with the section it stands in: what the question is about has to be in it or in its headings.
 * `within`: a concept that the sentence or its headings have to be about; `minScore`: how much of the question, 0 to 1.
 */
export function findAnswer(
  question: string,
  texts: readonly string[],
  { within, minScore = MIN_SCORE }: { within?: string | undefined; minScore?: number } = {},
): string | undefined {
  const asked = topicOf(question);
  if (asked.concepts.size === 0) return undefined;
  const passages = texts.flatMap((text, index) =>
    readPassages(text).map((passage) => ({ ...passage, group: passage.group + index * 10_000 })),
  );
  let best: { passage: Passage; index: number; rank: number } | undefined;
  for (const [index, passage] of passages.entries()) {
    if (
      within !== undefined &&
      ![passage.text, ...passage.path].some((part) => topicOf(part).concepts.has(within))
    )
      continue;
    const { score, rank } = scorePassage(passage, asked, passages[index - 1], passages[index + 1]);
    if (score >= minScore && rank > (best?.rank ?? 0)) best = { passage, index, rank };
  }
  return best && speak(best.passage, passages, best.index);
}

/** Whether a question says what it is about: "how much is it" and "how long does it take" do not. */
export function namesSubject(question: string): boolean {
  const { concepts } = topicOf(question);
  const hasPronoun = PRONOUN.test(question);
  return [...concepts.keys()].some((concept) => isStrong(concept) || (!hasPronoun && ALONE.has(concept)));
}

/** Whether there is nothing in a question that a document could be asked for: "who is doing it". */
export function asksNothing(question: string): boolean {
  const { concepts } = topicOf(question);
  return PRONOUN.test(question) && [...concepts.keys()].every((concept) => FAINT.has(concept));
}

function isStrong(concept: string): boolean {
  return !MINOR.has(concept) && !FAINT.has(concept);
}

function scorePassage(
  passage: Passage,
  asked: Topic,
  ...neighbours: readonly (Passage | undefined)[]
): { score: number; rank: number } {
  const own = topicOf(passage.text);
  for (const concept of asked.concepts.keys())
    if (REQUIRED_FACTS.has(concept) && !own.facts.has(concept)) return { score: 0, rank: 0 };
  const path = passage.path.map(topicOf);
  const around = neighbours
    .filter((near) => near?.group === passage.group)
    .map((near) => topicOf(near?.text ?? ''));
  // Below "Dogs and children", a sentence on dogs is none on children.
  const namesTwo = /^\S+(?: \S+)? (?:and|&) \S+(?: \S+)?$/i.test(passage.path.at(-1) ?? '');
  const isOther =
    namesTwo &&
    [...(path.at(-1)?.concepts.keys() ?? [])].some(
      (concept) => own.concepts.has(concept) && !asked.concepts.has(concept),
    );
  const isAnswer = (passage.path.at(-1) ?? '').endsWith('?');
  let [found, total, isInHeading] = [0, 0, false];
  for (const concept of asked.concepts.keys()) {
    const weight = weightOf(concept, asked);
    const share = Math.max(
      ...[concept, ...(RELATED[concept] ?? [])].map(
        (name, index) => shareOf(name, { own, path, around, isAnswer, isOther }) * (index === 0 ? 1 : 0.75),
      ),
    );
    total += weight;
    found += weight * share;
    isInHeading ||= !isOther && !DAY_NAMES.has(concept) && (path.at(-1)?.concepts.has(concept) ?? false);
  }
  const lacksFact = [...asked.concepts.keys()].some((concept) => {
    const fact = EXPECTED_FACTS[concept];
    return fact !== undefined && weightOf(concept, asked) > FAINT_WEIGHT && !own.facts.has(fact);
  });
  const isFirst = neighbours[0]?.group !== passage.group;
  const bonus = isInHeading ? (isFirst ? HEADING_BONUS + FIRST_BONUS : HEADING_BONUS) : 0;
  const score = (found / total) * (lacksFact ? 0.75 : 1);
  return { score, rank: score + bonus + WORDS_BONUS * sharedWords(asked, own) };
}

/** The share of the question's words, as they were said, that a sentence has. */
function sharedWords(asked: Topic, own: Topic): number {
  const words = [...asked.words];
  return words.length === 0 ? 0 : words.filter((word) => own.words.has(word)).length / words.length;
}

function weightOf(concept: string, asked: Topic): number {
  if (DAY_NAMES.has(concept)) return asked.concepts.has('open') ? DAY_WEIGHT : 1;
  // "Where can I park" is about parking, wherever that is.
  const isBeside = concept === 'address' && [...asked.concepts.keys()].some(isStrong);
  if (FAINT.has(concept) || isBeside) return FAINT_WEIGHT;
  return MINOR.has(concept) ? MINOR_WEIGHT : (asked.concepts.get(concept) ?? 1);
}

/** How well a passage tells of a concept: itself, by its innermost heading, by another one, or beside it. */
function shareOf(
  concept: string,
  {
    own,
    path,
    around,
    isAnswer,
    isOther,
  }: { own: Topic; path: readonly Topic[]; around: readonly Topic[]; isAnswer: boolean; isOther: boolean },
): number {
  if (own.concepts.has(concept)) return 1;
  if (path.at(-1)?.concepts.has(concept)) return isAnswer ? 1 : isOther ? 0.6 : 0.88;
  if (own.facts.has(concept)) return 0.9;
  if (path.some((heading) => heading.concepts.has(concept))) return 0.5;
  return around.some((near) => near.concepts.has(concept)) ? 0.55 : 0;
}

/** The passage as sentences, with what goes on after it. */
function speak(best: Passage, passages: readonly Passage[], index: number): string {
  const next = passages[index + 1];
  const goesOn = next && next.group === best.group && !next.isItem && continues(next, best);
  const whole = goesOn ? `${asSentence(best.text)} ${next.text}` : best.text;
  return asSentence(shorten(whole.length > MAX_CHARACTERS ? best.text : whole));
}

function continues(next: Passage, best: Passage): boolean {
  return (
    (best.path.at(-1) ?? '').endsWith('?') ||
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
