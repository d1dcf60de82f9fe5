import { splitSentences } from '#lib/engine/brain/sentences.ts';
import { toSpokenText } from '#lib/engine/brain/spoken-text.ts';

/** At least this share of what the question asks for has to be found in what is spoken as its answer. */
const MIN_MATCH = 0.5;
const MAX_ANSWER_CHARACTERS = 320;
/** For a sentence that holds the kind of fact asked for: an amount of money, a time, a street. */
const FACT_BONUS = 0.1;

const STOP_WORDS = new Set(
  `a about also am an and any anything are as at be been but by can could did do does for from get give go got had has have hello hey hi how i
  if in into is it its i'd i'm i've just know let like may maybe me mean much my need of ok okay on one or our out please question questions quick so some
  tell thanks thank that the their them then there these they this those to too us want wanted was we well were what what's when
  where which who why will with wonder wondering would yes you your you're one many long far often sure sorry actually oh ah um uh er yeah yep offer offers provide available possible goes going gets come comes coming policy policies window period detail details
  information info option options kind kinds type types sort terms`.split(/\s+/),
);

/** Words that mean the same to a caller. Each stem stands for its group. */
const SYNONYM_GROUPS: readonly (readonly string[])[] = [
  ['price', 'cost', 'fee', 'charge', 'rate', 'expensive', 'tariff', 'euro', 'dollar', 'pound', '$', '€'],
  ['open', 'hour', 'opening', 'close', 'closing', 'closed'],
  ['address', 'locate', 'location', 'find', 'situated', 'directions', 'street'],
  ['park', 'parking', 'car'],
  ['cancel', 'cancellation', 'reschedule'],
  ['refund', 'return', 'money'],
  ['deliver', 'delivery', 'ship', 'shipping', 'shipment'],
  ['insurance', 'insurer', 'insured', 'coverage'],
  ['phone', 'telephone', 'number', 'call'],
  ['email', 'mail', 'e-mail'],
  ['pay', 'payment', 'card', 'cash', 'paypal', 'invoice'],
  ['doctor', 'dentist', 'physician', 'dr'],
  ['child', 'children', 'kid', 'kids'],
  ['weekend', 'saturday', 'sunday'],
  ['guarantee', 'warranty'],
  ['emergency', 'urgent', 'pain'],
  ['staff', 'team', 'employee'],
  ['begin', 'start'],
  ['wifi', 'wi-fi', 'internet', 'wlan'],
  ['pet', 'dog', 'cat', 'animal'],
  ['toilet', 'bathroom', 'restroom'],
  ['wheelchair', 'accessible', 'step-free', 'barrier-free', 'disabled'],
  ['discount', 'reduction', 'cheaper', 'coupon'],
  ['repair', 'fix', 'mend'],
  ['speak', 'spoken', 'language'],
  ['job', 'career', 'vacancy', 'hire', 'hiring'],
  ['tooth', 'teeth'],
  ['food', 'meal', 'eat', 'breakfast', 'lunch', 'dinner'],
  ['owner', 'own', 'founder', 'boss'],
  ['size', 'large', 'big'],
  ['time', 'hour', "o'clock"],
  ['accept', 'take', 'work', 'treat', 'support'],
  ['long', 'duration', 'minute', 'last'],
  ['buy', 'purchase', 'order'],
];
/** A question word asks for a kind of fact, which the answer's words reveal. */
const ASKED_FACT: readonly [RegExp, string][] = [
  [/\bhow much\b|\bwhat does .* cost\b/, 'price'],
  [/\bhow long\b/, 'duration'],
  [/^(?:\W*\w+[,.!])*\W*when\b|\bwhat time\b/, 'time'],
  [/\bwhere\b/, 'address'],
];
/** What an answer to these has to hold, whatever else it says. */
const REQUIRED_FACT: readonly [RegExp, RegExp][] = [
  [/\b(?:phone|telephone|fax|mobile) ?number\b|\bnumber (?:can|should|do) i call\b/, /\d{3}/],
  [/\be-?mail\b/, /@| at \w+ dot /],
];
const CLOCK_OR_DAY =
  /\b\d{1,2}(?::\d\d)?\s?(?:am|pm|a\.m|p\.m|o'clock)|\b\d{1,2}:\d\d\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b/i;
const FACT_SIGN: Record<string, RegExp> = {
  time: CLOCK_OR_DAY,
  price: /[$€£]\s?\d|\d\s?(?:euros?|dollars?|pounds?|eur|usd|%|percent)|\bfree\b/i,
  open: CLOCK_OR_DAY,
  address: /\b\d{1,5}\s+[A-Z]\w+|\b\w+\s+(?:street|st\.|avenue|ave|road|rd|square|lane|boulevard)\b/i,
};

const STEM_GROUP = new Map(
  SYNONYM_GROUPS.flatMap((group) => group.map((word) => [stem(word), group.map(stem)] as const)),
);

type Candidate = { text: string; context: string; order: number };

/**
 * The one or two sentences of `texts` that answer `question`, as they can be spoken; undefined where nothing there
 * does. Words count by how rare they are in the texts; a heading counts for the lines below it.
 */
export function findAnswer(question: string, texts: readonly string[]): string | undefined {
  const candidates = texts.flatMap(toCandidates).map((candidate, order) => ({ ...candidate, order }));
  const asked = keywords(question);
  for (const [pattern, fact] of ASKED_FACT) if (pattern.test(question.toLowerCase())) asked.add(stem(fact));
  // "How long does it take" asks for the duration, not for taking.
  if (asked.has(stem('duration'))) asked.delete(stem('take'));
  if (asked.size === 0) return undefined;
  const required = REQUIRED_FACT.find(([pattern]) => pattern.test(question.toLowerCase()))?.[1];
  const scored = candidates
    .filter((candidate) => !required || required.test(candidate.text))
    .map((candidate) => ({ candidate, score: scoreCandidate(candidate, asked, candidates) }))
    .toSorted((one, other) => other.score - one.score || one.candidate.order - other.candidate.order);
  const best = scored[0];
  if (!best || best.score < MIN_MATCH) return undefined;
  const next = candidates[best.candidate.order + 1];
  const continuation = next && continues(next, best.candidate) ? ` ${next.text}` : '';
  return asSentence(shorten(best.candidate.text) + (continuation.length < 160 ? continuation : ''));
}

/** Question and answer pairs, list items with their heading, table rows as `column: value`, plain sentences. */
function toCandidates(text: string): Omit<Candidate, 'order'>[] {
  const candidates: Omit<Candidate, 'order'>[] = [];
  let heading = '';
  let asked = '';
  let described = '';
  for (const line of text.split('\n')) {
    if (/^\s{0,3}#{1,6}\s/.test(line)) {
      heading = toSpokenText(line);
      asked = '';
      continue;
    }
    const plain = toSpokenText(line).replace(/^(?:q|question)\s*[:.]\s*/i, '');
    if (plain === '') continue;
    const fields = readRecord(plain);
    if (fields) {
      candidates.push(...fields);
      continue;
    }
    if (plain.endsWith('?') && splitSentences(plain).length === 1) {
      asked = plain;
      continue;
    }
    if (plain.endsWith(':') && plain.length < 80) {
      heading = plain.slice(0, -1);
      continue;
    }
    const pair = plain.match(/^(.{5,160}?\?)\s+(?:(?:a|answer)\s*[:.]\s*)?(.+)$/i);
    const body = (pair?.[2] ?? plain).replace(/^(?:a|answer)\s*[:.]\s*/i, '');
    // Lines of "name: value" that follow one another describe the same thing.
    if (!/^[\p{L}][\p{L}\p{N}_ ]{0,40}: \S/u.test(plain)) described = '';
    else described += ` ${plain}`;
    const context = [heading, pair?.[1] ?? asked, described].join(' ');
    for (const sentence of splitSentences(body)) candidates.push({ text: sentence, context });
  }
  return candidates;
}

const UNITS: readonly [RegExp, string][] = [
  [/[ _](?:in )?usd$/i, 'dollars'],
  [/[ _](?:in )?eur$/i, 'euros'],
  [/[ _](?:in )?gbp$/i, 'pounds'],
  [/[ _](?:in )?(minutes|hours|days|weeks|months|years|percent|km|miles)$/i, '$1'],
];

/** A row of a table ("Treatment: Whitening. Price: 350."): each field is an answer about what the first one names. */
function readRecord(line: string): Omit<Candidate, 'order'>[] | undefined {
  const fields = [
    ...line.matchAll(
      /([\p{L}][\p{L}\p{N}_ ]{0,40}): (.+?)(?:\.(?=\s+[\p{L}][\p{L}\p{N}_ ]{0,40}: )|\.?$)\s*/gu,
    ),
  ];
  const [subject, ...facts] = fields.map((match) => ({
    name: match[1] ?? '',
    value: (match[2] ?? '').trim(),
  }));
  if (!subject || facts.length === 0 || /^[qa]$|question|answer/i.test(subject.name)) return undefined;
  if (fields.map((match) => match[0]).join('').length < line.length) return undefined;
  return facts.map(({ name, value }) => {
    const unit = UNITS.find(([pattern]) => pattern.test(name));
    const label = (unit ? name.replace(unit[0], '') : name).replace(/_/g, ' ').toLowerCase();
    const amount =
      unit && /^[\d.,]+$/.test(value)
        ? `${value} ${unit[1].replace('$1', () => name.match(unit[0])?.[1]?.toLowerCase() ?? '')}`
        : value;
    return {
      text: /^(?:note|description|details?|remarks?|comment)s?$/.test(label)
        ? `${subject.value}: ${value}.`
        : `${subject.value}: the ${label} is ${amount}.`,
      context: line,
    };
  });
}

function scoreCandidate(candidate: Candidate, asked: Set<string>, all: readonly Candidate[]): number {
  const words = stems(candidate.text);
  const context = stems(candidate.context);
  let found = 0;
  let total = 0;
  for (const word of asked) {
    const group = STEM_GROUP.get(word) ?? [word];
    const containing = all.filter((other) =>
      group.some((synonym) => stems(other.text).has(synonym) || stems(other.context).has(synonym)),
    ).length;
    const weight = 1 + Math.log((all.length + 1) / (containing + 1));
    total += weight;
    const sign = group.map((synonym) => FACT_SIGN[synonym]).find((pattern) => pattern !== undefined);
    if (words.has(word)) found += weight;
    else if (group.some((synonym) => words.has(synonym))) found += weight * 0.9;
    else if (context.has(word) || group.some((synonym) => context.has(synonym))) found += weight * 0.85;
    else if (sign?.test(candidate.text)) found += weight * 0.7;
  }
  const bonus = [...asked].some((word) => FACT_SIGN[word]?.test(candidate.text)) ? FACT_BONUS : 0;
  return total === 0 || found === 0 ? 0 : found / total + bonus;
}

/** A following sentence belongs to the answer when it refers back to it. */
function continues(next: Candidate, best: Candidate): boolean {
  if (next.context !== best.context) return false;
  return /^(?:it|they|this|that|these|on|please|otherwise|however|also|in addition)\b/i.test(next.text);
}

function keywords(text: string): Set<string> {
  return new Set([...stems(text)].filter((word) => word.length > 1));
}

const stemCache = new Map<string, Set<string>>();

function stems(text: string): Set<string> {
  const cached = stemCache.get(text);
  if (cached) return cached;
  const words =
    text
      .toLowerCase()
      .replace(/[’]/g, "'")
      .match(/[\p{L}\p{N}$€][\p{L}\p{N}'-]*/gu) ?? [];
  const found = new Set(words.filter((word) => !STOP_WORDS.has(word)).map(stem));
  if (stemCache.size > 2_000) stemCache.clear();
  stemCache.set(text, found);
  return found;
}

function stem(word: string): string {
  const plain = word.replace(/'s$|'$/, '');
  if (plain.length <= 4) return plain.replace(/(?<=[a-z]{2})s$/, '');
  return plain
    .replace(/ies$/, 'y')
    .replace(/(?:ing|ed|es|s|ly)$/, '')
    .replace(/(.)\1$/, '$1')
    .replace(/e$/, '');
}

function shorten(text: string): string {
  if (text.length <= MAX_ANSWER_CHARACTERS) return text;
  const cut = text.slice(0, MAX_ANSWER_CHARACTERS);
  const border = Math.max(cut.lastIndexOf('; '), cut.lastIndexOf(', '), cut.lastIndexOf('. '));
  return cut.slice(0, border > 80 ? border : cut.lastIndexOf(' '));
}

function asSentence(text: string): string {
  const trimmed = text.trim().replace(/[,;:]$/, '');
  const capital = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}
