import { splitSentences } from '#lib/engine/brain/sentences.ts';
import { toSpokenText } from '#lib/engine/brain/spoken-text.ts';
import { addressToPerson } from './address-to-person.ts';

/** What a prompt tells the agent to do when something is said: "If they say it is wrong, put them through to billing." */
export type Rule = { whens: readonly string[]; orders: readonly Order[] };
export type Order = { kind: 'say'; text: string } | { kind: 'transfer' | 'callback' };

const ORDERS =
  '(?:put|transfer|connect|hand|pass|tell|say|remind|offer|arrange|explain|advise|apologi[sz]e|thank|ask when|take (?:them|him|her|the \\w+) off)';
const CONDITION_FIRST = new RegExp(
  `^(?:if|when|whenever|in case)\\s+(.+?),\\s+(?:then |please |politely |just )*(${ORDERS}\\b.+)$`,
  'i',
);
const CONDITION_LAST = /^((?:put|transfer|connect|hand|pass)\b.+?)\s+(?:if|when|whenever)\s+(.+)$/i;
const LABELLED = new RegExp(`^([^:]{5,120}):\\s+(${ORDERS}\\b.+)$`, 'i');
const SAME = /^the same (?:if|when|goes for|for)\s+(.+)$/i;
const TRANSFER = /\b(?:put|transfer|connect|hand|pass)\b.*\b(?:through|call|over|on|with|to|them)\b/i;
const CALLBACK = /\b(?:callback|call (?:them|him|her|you)? ?back|may call back|call again later)\b/i;
const WHO =
  '(?:they|he|she|somebody|someone|anybody|people|you|we|(?:the|a|any) (?:caller|person|customer|guest|patient|client|member)s?(?: in the house)?|callers?|customers?|guests?|patients?)';
/** What is said of how somebody says it: "they say that it is wrong" is met by "it is wrong". */
const REPORTS = new RegExp(
  `^(?:and |or )?(?:if |when )?(?:${WHO} )?(?:(?:says?|reports?|tells? you|mentions?|insists?|complains?|asks?|wants? to know)(?: (?:that|about|of|on|for))? )?`,
  'i',
);
export function readRules(body: string, variables: Record<string, string>): Rule[] {
  const rules: Rule[] = [];
  for (const sentence of body.split('\n').flatMap((line) => splitSentences(toSpokenText(line)))) {
    const plain = sentence.replace(/[.!]+$/, '');
    const [, sameWhen] = plain.match(SAME) ?? [];
    const [, when, order] = plain.match(CONDITION_FIRST) ?? plain.match(LABELLED) ?? [];
    const [, orderFirst, whenLast] = plain.match(CONDITION_LAST) ?? [];
    const orders = sameWhen ? rules.at(-1)?.orders : readOrders(order ?? orderFirst ?? '', variables);
    const condition = sameWhen ?? when ?? whenLast;
    if (condition && orders && orders.length > 0) rules.push({ whens: readWhens(condition), orders });
  }
  return rules;
}

/** What a prompt tells to say when its questions are answered: "Tell them that they get ten percent off, and say goodbye." */
export function readClosing(body: string, variables: Record<string, string>): Order[] {
  const lines = body.split('\n');
  const lastItem = lines.findLastIndex((line) => /^\s*(?:[-*+•]|\d{1,2}[.)])\s+.*\bask\b/i.test(line));
  if (lastItem < 0) return [];
  return lines
    .slice(lastItem + 1)
    .flatMap((line) => splitSentences(toSpokenText(line)))
    .filter((sentence) => !/\b(?:if|when|who|whoever)\b/i.test(sentence))
    .flatMap((sentence) => readOrders(sentence.replace(/[.!]+$/, ''), variables))
    .filter(({ kind }) => kind === 'say');
}

function readWhens(condition: string): string[] {
  return condition
    .split(/\s*(?:,|\bor\b)\s*(?:\bor\b\s*)?/i)
    .map((part) => part.replace(REPORTS, '').trim())
    .filter((part) => part !== '' && !/^(?:yes|no|not|so)$/i.test(part));
}

function readOrders(text: string, variables: Record<string, string>): Order[] {
  const parts = text.split(new RegExp(`(?:,\\s+|\\s+and\\s+|,\\s+and\\s+)(?:then )?(?=${ORDERS}\\b)`, 'i'));
  return parts.flatMap((part): Order[] => {
    if (CALLBACK.test(part) && /^(?:ask|arrange|offer)/i.test(part)) return [{ kind: 'callback' }];
    if (TRANSFER.test(part) && !/^(?:tell|say|offer)/i.test(part)) return [{ kind: 'transfer' }];
    const spoken = spokenOrder(part, variables);
    return spoken === undefined ? [] : [{ kind: 'say', text: spoken }];
  });
}

const SPOKEN: readonly [RegExp, string][] = [
  [/^(?:say|tell (?:them|him|her|the \w+))[:,]? ["“](.+?)["”].*$/i, '$1'],
  [/^(?:tell|remind|advise|ask) (?:them|him|her|the \w+|callers?) (?:not to) (.+)$/i, 'Please do not $1'],
  [/^(?:tell|remind|advise|ask) (?:them|him|her|the \w+|callers?) to (.+)$/i, 'Please $1'],
  [/^(?:tell|remind|explain to|advise) (?:them|him|her|the \w+|callers?) (?:that )?(?!about)(.+)$/i, '$1'],
  [/^(?:say|explain) (?:that )(.+)$/i, '$1'],
  [/^offer (?:them|him|her)? ?(?!to )(.+)$/i, 'we can offer them $1'],
  [/^offer (?:them|him|her)? ?to (.+)$/i, 'we can $1'],
];

/** An order to say something as it is said to the person: "tell them to come in" is "Please come in." */
function spokenOrder(part: string, variables: Record<string, string>): string | undefined {
  const form = SPOKEN.find(([pattern]) => pattern.test(part));
  if (!form || /^say (?:thank|sorry|goodbye|hello)/i.test(part)) return undefined;
  const said = addressToPerson(part.replace(...form), variables)
    .replace(/,.*\bno appointment\b.*/i, '')
    .replace(/\band that\b/gi, 'and');
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}.`;
}
