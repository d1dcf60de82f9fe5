import { inWords } from '#lib/text/english.ts';
import { encodeSentences } from '#lib/text/sentence-encoder.ts';
import { termsOf } from '#lib/text/terms.ts';
import model from './data/model.json' with { type: 'json' };

/** What a sentence means, as numbers: two that mean the same have alike ones. */
export type Meaning = {
  /** Of length 1, as the encoder gives it. */
  vector: Float32Array;
  /** How likely it is about each topic of `data/examples/topics.txt`: the roots of probabilities, so of length 1 too. */
  topics: Float32Array;
};

type Classifier = { names: readonly string[]; rows: readonly Float32Array[]; bias: readonly number[] };

/** The words of all examples, as terms. */
export const KNOWN_TERMS = new Set(model.words.split(' '));
/** What the parts of an answer weigh (answer.ts). */
export const ANSWER: { weights: readonly number[]; bias: number } = model.answer;
const ACTS = readClassifier(model.acts);
const TOPICS = readClassifier(model.topics);
const known = new Map<string, Meaning>();
const MAX_KNOWN = 4_000;
const NOTHING: Meaning = { vector: new Float32Array(512), topics: new Float32Array(TOPICS.names.length) };

/** The meanings of texts, in their order. Remembered: the sentences of a document are asked about again with each question. */
export async function readMeanings(texts: readonly string[]): Promise<Meaning[]> {
  const plain = texts.map(asEncoded);
  if (known.size > MAX_KNOWN) known.clear();
  const missing = [...new Set(plain)].filter((text) => !known.has(text));
  const found = new Map(plain.map((text) => [text, known.get(text) ?? NOTHING]));
  for (const [index, vector] of (await encodeSentences(missing)).entries()) {
    const meaning = { vector, topics: probabilities(TOPICS, vector).map(Math.sqrt) };
    found.set(missing[index] ?? '', meaning);
    known.set(missing[index] ?? '', meaning);
  }
  return plain.map((text) => found.get(text) ?? NOTHING);
}

/** Speech has no capitals and seldom punctuation, so that what is written is read without them too. */
export function asEncoded(text: string): string {
  return inWords(text)
    .replace(/[.?!:]+\s*$/, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** What a person most likely means by an utterance, and how likely, 0 to 1: the acts of `data/examples/acts.txt`. */
export function likeliestAct({ vector }: Meaning): { act: string; probability: number; asksFact: number } {
  const all = probabilities(ACTS, vector);
  const best = all.indexOf(Math.max(...all));
  return {
    act: ACTS.names[best] ?? '',
    probability: all[best] ?? 0,
    asksFact: all[ACTS.names.indexOf('ask_fact')] ?? 0,
  };
}

/** The topic that a question is most likely about, as words to search for; undefined where that is unclear. */
export function likeliestTopic({ topics }: Meaning): string | undefined {
  const best = Math.max(...topics);
  return best > 0.6 ? TOPICS.names[topics.indexOf(best)]?.replaceAll('_', ' ') : undefined;
}

/** How likely a text is about one of `topics`, 0 to 1. */
export function isAbout(meaning: Meaning, ...topics: readonly string[]): number {
  return topics.reduce((sum, topic) => sum + (meaning.topics[TOPICS.names.indexOf(topic)] ?? 0) ** 2, 0);
}

/** Whether the examples have any word of a text; what is said of sounds alone is no meaning. */
export function knowsWord(text: string): boolean {
  return termsOf(text).some((term) => KNOWN_TERMS.has(term));
}

export function likeness(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1) sum += (one[index] ?? 0) * (other[index] ?? 0);
  return sum;
}

function probabilities({ rows, bias }: Classifier, vector: Float32Array): Float32Array {
  const scores = rows.map((row, index) => likeness(row, vector) + (bias[index] ?? 0));
  const highest = Math.max(...scores);
  const raised = scores.map((score) => Math.exp(score - highest));
  const total = raised.reduce((sum, value) => sum + value, 0);
  return Float32Array.from(raised, (value) => value / total);
}

/** Weights are kept as bytes, in base64; `scale` makes numbers of them. */
function readClassifier(data: {
  names: string[];
  weights: string;
  scale: number;
  bias: number[];
}): Classifier {
  const bytes = new Int8Array(Buffer.from(data.weights, 'base64'));
  const size = bytes.length / data.names.length;
  const rows = data.names.map((_, index) =>
    Float32Array.from(bytes.subarray(index * size, (index + 1) * size), (byte) => byte * data.scale),
  );
  return { names: data.names, rows, bias: data.bias };
}
