/**
 * Trains what the keyless agent knows of meanings into `lib/engine/brain/local/data/model.json`: acts and topics from
 * `data/examples`, the weights of an answer from the questions of `behaviour` whose section is known. Takes two minutes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import Papa from 'papaparse';
import { readConversations } from '#lib/engine/brain/local/behaviour/read-conversations.ts';
import { asEncoded } from '#lib/engine/brain/local/meaning.ts';
import { encodeSentences } from '#lib/text/sentence-encoder.ts';
import { termsOf } from '#lib/text/terms.ts';

const LOCAL = new URL('../lib/engine/brain/local/', import.meta.url).pathname;
const MODEL = `${LOCAL}data/model.json`;
const BATCH = 32;
const DECAY = 3e-5;
const SCALE = 4;
/** The exam is not among them: nothing may be learned from it. */
const SETS = ['tuned', 'held-out', 'later', 'unseen-a', 'unseen-b', 'fresh-a', 'fresh-b', 'author-one'];

type Example = { text: string; name: string; isDocument: boolean };

function readExamples(file: string): Example[] {
  const examples: Example[] = [];
  let name = '';
  for (const line of readFileSync(`${LOCAL}data/examples/${file}`, 'utf8').split('\n')) {
    if (line.startsWith('= ')) name = line.slice(2);
    else if (line !== '' && !line.startsWith('#')) {
      const text = asEncoded(line.replace(/^> /, ''));
      examples.push({ text, name, isDocument: line.startsWith('> ') });
    }
  }
  return examples;
}

/** Adam over batches, from zeros; `slopeOf` gives the gradient of the loss of some examples at some weights. */
function descend(
  size: number,
  { count, epochs, rate: first }: { count: number; epochs: number; rate: number },
  slopeOf: (weights: Float64Array, examples: readonly number[]) => Float64Array,
): Float64Array {
  const weights = new Float64Array(size);
  const [mean, variance] = [new Float64Array(size), new Float64Array(size)];
  const batches = Math.ceil(count / BATCH);
  const steps = epochs * batches;
  for (let step = 1; step <= steps; step += 1) {
    // Every so-manieth example: each batch has some of every name, and each example is met once in an epoch.
    const batch = Array.from({ length: BATCH }, (_, at) => (step % batches) + at * batches);
    const slopes = slopeOf(
      weights,
      batch.filter((example) => example < count),
    );
    const rate = first * (1 - step / (steps + 1));
    for (let index = 0; index < size; index += 1) {
      const slope = slopes[index] ?? 0;
      mean[index] = 0.9 * (mean[index] ?? 0) + 0.1 * slope;
      variance[index] = 0.99 * (variance[index] ?? 0) + 0.01 * slope * slope;
      const along = (mean[index] ?? 0) / (1 - 0.9 ** step);
      const across = Math.sqrt((variance[index] ?? 0) / (1 - 0.99 ** step)) + 1e-8;
      weights[index] = (weights[index] ?? 0) - (rate * along) / across;
    }
  }
  return weights;
}

function softmax(scores: readonly number[]): number[] {
  const highest = Math.max(...scores);
  const raised = scores.map((score) => Math.exp(score - highest));
  const total = raised.reduce((sum, value) => sum + value, 0);
  return raised.map((value) => value / total);
}

function dot(weights: Float64Array, from: number, input: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < input.length; index += 1)
    sum += (weights[from + index] ?? 0) * (input[index] ?? 0);
  return sum;
}

/** Multinomial logistic regression; the weights are given as bytes in base64. */
async function trainClassifier(examples: readonly Example[]) {
  const names = [...new Set(examples.map(({ name }) => name))].toSorted();
  const vectors = await encodeSentences(examples.map(({ text }) => text));
  // The last input is always 1: its weight is the bias.
  const inputs = vectors.map((vector) => [...vector].map((part) => part * SCALE).concat(1));
  const labels = examples.map(({ name }) => names.indexOf(name));
  const size = inputs[0]?.length ?? 0;
  const weights = descend(
    names.length * size,
    { count: inputs.length, epochs: 30, rate: 0.02 },
    (at, batch) => {
      const slope = at.map((weight, index) => (index % size === size - 1 ? 0 : DECAY * weight));
      for (const example of batch) {
        const input = inputs[example] ?? [];
        const likely = softmax(names.map((_, row) => dot(at, row * size, input)));
        for (const [row, value] of likely.entries()) {
          const error = (value - (labels[example] === row ? 1 : 0)) / batch.length;
          if (Math.abs(error) < 1e-6) continue;
          for (let index = 0; index < size; index += 1)
            slope[row * size + index] = (slope[row * size + index] ?? 0) + error * (input[index] ?? 0);
        }
      }
      return slope;
    },
  );
  const rows = names.map((_, row) => weights.subarray(row * size, (row + 1) * size));
  const flat = rows.flatMap((row) => [...row.subarray(0, -1)].map((weight) => weight * SCALE));
  const scale = flat.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127;
  const bytes = Int8Array.from(flat, (weight) => Math.round(weight / scale));
  return {
    names,
    scale,
    bias: rows.map((row) => Math.round((row.at(-1) ?? 0) * 1000) / 1000),
    weights: Buffer.from(bytes.buffer).toString('base64'),
  };
}

/** As the service reads a table: a row a line, `Treatment: Crown. Price: 1150`. */
function rowsOf(csv: string): string {
  return Papa.parse<Record<string, string>>(csv.trim(), { header: true })
    .data.map((row) =>
      Object.entries(row)
        .filter(([, value]) => value)
        .map(([name, value]) => `${name}: ${value}`)
        .join('. '),
    )
    .join('\n');
}

type Documents = Record<string, { documents: Record<string, string> }>;

/** Each question with the features of all passages of its business, and which of them answer it. */
async function readQuestions() {
  // The passages are weighed with the classifiers that were just written.
  const { featuresOf } = await import('#lib/engine/brain/local/answer.ts');
  const { readPassages } = await import('#lib/engine/brain/local/passages.ts');
  const businesses: Documents = {};
  for (const file of ['businesses', 'unseen', 'fresh', 'author-one'])
    Object.assign(businesses, JSON.parse(readFileSync(`${LOCAL}behaviour/${file}.json`, 'utf8')));
  const passagesOf = (documents: Record<string, string>) =>
    Object.entries(documents)
      .filter(([name]) => !name.endsWith('.json'))
      .flatMap(([name, text], at) =>
        readPassages(name.endsWith('.csv') ? rowsOf(text) : text).map((passage) => ({
          ...passage,
          group: passage.group + at * 1000,
        })),
      );
  const questions: { features: (readonly number[])[]; answers: number[] }[] = [];
  for (const set of SETS) {
    for (const { business, turns } of readConversations(
      readFileSync(`${LOCAL}behaviour/${set}.txt`, 'utf8'),
    )) {
      const passages = passagesOf(businesses[business]?.documents ?? {});
      for (const { says, accept, sections } of turns) {
        const answers = [...passages.keys()].filter((index) => {
          const { text = '', path = [] } = passages[index] ?? {};
          return (
            accept.test(text) &&
            sections.some((section) => section.endsWith('.csv') || path.includes(section))
          );
        });
        const isUnknown = sections.length === 0 && /\(don't\||\(do not/.test(accept.source);
        if (answers.length > 0 || (isUnknown && passages.length > 0))
          questions.push({ features: await featuresOf(says, passages), answers });
      }
    }
  }
  // Nothing that callers ask besides has an answer.
  const besides = readExamples('acts.txt').filter(({ name }) => name === 'off_topic');
  const all = Object.values(businesses).map(({ documents }) => passagesOf(documents));
  for (const [index, { text }] of besides.entries()) {
    const passages = all[index % all.length] ?? [];
    questions.push({ features: await featuresOf(text, passages), answers: [] });
  }
  return questions;
}

/** A choice among the passages and no answer at all, whose score is 0. */
async function trainAnswer() {
  const questions = await readQuestions();
  const size = (questions[0]?.features[0]?.length ?? 0) + 1;
  const weights = descend(size, { count: questions.length, epochs: 100, rate: 0.1 }, (at, batch) => {
    const slope = at.map((weight, index) => (index === size - 1 ? 0 : 2e-4 * weight));
    for (const { features, answers } of batch.flatMap((index) => questions[index] ?? [])) {
      const inputs = features.map((feature) => [...feature, 1]);
      const likely = softmax([...inputs.map((input) => dot(at, 0, input)), 0]);
      const right = answers.reduce((sum, answer) => sum + (likely[answer] ?? 0), 0);
      for (const [index, input] of inputs.entries()) {
        const wanted = answers.includes(index) ? (likely[index] ?? 0) / right : 0;
        const error = ((likely[index] ?? 0) - wanted) / batch.length;
        for (const [part, value] of input.entries()) slope[part] = (slope[part] ?? 0) + error * value;
      }
    }
    return slope;
  });
  let [found, quiet, answered, unknown] = [0, 0, 0, 0];
  for (const { features, answers } of questions) {
    const scores = features.map((feature) => dot(weights, 0, [...feature, 1]));
    const best = scores.indexOf(Math.max(...scores));
    if (answers.length > 0) answered += 1;
    else unknown += 1;
    if (answers.length > 0 && answers.includes(best) && (scores[best] ?? 0) > 0) found += 1;
    if (answers.length === 0 && (scores[best] ?? 0) <= 0) quiet += 1;
  }
  console.log(`Of ${answered} answers ${found} found, of ${unknown} unknown ${quiet} left`);
  const rounded = [...weights].map((weight) => Math.round(weight * 100) / 100);
  return { weights: rounded.slice(0, -1), bias: rounded.at(-1) ?? 0 };
}

function write(model: object): void {
  writeFileSync(MODEL, `${JSON.stringify(model)}\n`);
}

/** `--answer` keeps what is known of acts and topics, and trains the rest in seconds. */
async function trainMeanings() {
  if (process.argv.includes('--answer')) return JSON.parse(readFileSync(MODEL, 'utf8'));
  const examples = readExamples('topics.txt');
  const asked = examples.filter(({ isDocument }) => !isDocument);
  // Half of them: they are more than all other acts, which would be taken for questions.
  const facts = asked.flatMap((example, index) =>
    index % 2 === 0 ? [{ ...example, name: 'ask_fact' }] : [],
  );
  const model = {
    acts: await trainClassifier([...readExamples('acts.txt'), ...facts]),
    topics: await trainClassifier(examples),
    words: [...new Set(examples.flatMap(({ text }) => termsOf(text)))].toSorted().join(' '),
    answer: { weights: [] as number[], bias: 0 },
  };
  write(model);
  return model;
}

write({ ...(await trainMeanings()), answer: await trainAnswer() });
process.exit(0);
