import { readSpokenWords } from '#lib/text/english.ts';
import { createCueTable, toCueText, wordsTaken } from './cues.ts';
import table from './data/concepts.json' with { type: 'json' };

/** What a text is about. */
export type Topic = {
  /** Concepts of the table and, where they belong to none, the words themselves; each with how much it counts. */
  concepts: ReadonlyMap<string, number>;
  /** Its telling words themselves, in their dictionary form. */
  words: ReadonlySet<string>;
  /** Facts that the text states: an amount of money, a time, an address. */
  facts: ReadonlySet<string>;
};

const CONCEPTS = createCueTable(Object.entries(table.concepts).map(([value, cues]) => ({ value, cues })));
const FACTS = Object.entries(table.facts).map(([name, pattern]) => ({
  name,
  sign: new RegExp(pattern, 'i'),
}));
const OVERRIDES: Readonly<Record<string, readonly string[]>> = table.overrides;
const STOP_WORDS = new Set(table.stopWords.split(' '));
/** No answer without it: a question for a phone number is answered by a number. */
export const REQUIRED_FACTS: ReadonlySet<string> = new Set(table.required);
export const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
const DAY = '(sun|mon|tues|wednes|thurs|fri|satur)days?';
const DAY_RANGE = new RegExp(`\\b${DAY}\\s*(?:to|through|thru|until|till|-|–)\\s*${DAY}\\b`, 'gi');

const UNITS = new Set(['minute', 'hour', 'day', 'week', 'month', 'year', 'dollar', 'euro', 'pound']);
/** An adverb seldom says what a question is about ("again", "exactly"), a noun mostly does. */
const WEIGHTS = { adverb: 0.25, verb: 1, adjective: 1, number: 0, other: 1 };

const known = new Map<string, Topic>();

/** What `text` is about. Remembered: the sentences of a document are asked about again with each question. */
export function topicOf(text: string): Topic {
  const before = known.get(text);
  if (before) return before;
  const topic = readTopic(text);
  if (known.size > 4_000) known.clear();
  known.set(text, topic);
  return topic;
}

function readTopic(text: string): Topic {
  const cueText = toCueText(text);
  const concepts = new Map(daysBetween(text).map((day) => [day, 1]));
  const found = CONCEPTS(cueText).map(({ value, pattern }) => ({
    value,
    taken: new Set(wordsTaken(cueText, pattern)),
  }));
  // In "check in", nothing is checked.
  const isPart = (one: { value: string; taken: Set<number> }) =>
    found.some(
      ({ value, taken }) =>
        OVERRIDES[value]?.includes(one.value) && [...one.taken].every((index) => taken.has(index)),
    );
  const meant = found.filter((one) => !isPart(one));
  for (const { value } of meant) concepts.set(value, 1);
  const taken = new Set(meant.flatMap((one) => [...one.taken]));
  const words = new Set<string>();
  const spoken = readSpokenWords(text);
  for (const [index, { text: word, lemma, kind }] of spoken.entries()) {
    // "Two days late" is about being late.
    const before = spoken[index - 1];
    if (before?.kind === 'number' && before.text !== 'one' && UNITS.has(lemma)) continue;
    if (STOP_WORDS.has(word) || STOP_WORDS.has(lemma) || word.length < 2 || kind === 'number') continue;
    words.add(lemma);
    if (!taken.has(index)) concepts.set(stem(lemma), WEIGHTS[kind]);
  }
  return {
    concepts,
    words,
    facts: new Set(FACTS.filter(({ sign }) => sign.test(text)).map(({ name }) => name)),
  };
}

/** "Monday to Thursday" is about Tuesday too. */
function daysBetween(text: string): string[] {
  const found: string[] = [];
  for (const [, from = '', to = ''] of text.matchAll(DAY_RANGE)) {
    const [first, last] = [dayNumber(from), dayNumber(to)];
    for (let day = first; day !== (last + 1) % 7 || found.length === 0; day = (day + 1) % 7)
      found.push(DAYS[day] ?? '');
  }
  return found;
}

/** 0 = Sunday, from the first letters of its name. */
export function dayNumber(name: string): number {
  return DAYS.findIndex((day) => day.startsWith(name.toLowerCase().slice(0, 3)));
}

/** "Installation" and "install", "insurance" and "insurer": the dictionary keeps them apart. */
function stem(word: string): string {
  if (word.length < 7) return word;
  return word
    .replace(/(?:ations?|ments?|ings?|ers?|ness|ly|ed|al|s)$/, '')
    .replace(/(.)\1$/, '$1')
    .replace(/e$/, '');
}
