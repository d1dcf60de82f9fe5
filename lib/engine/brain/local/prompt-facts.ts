import { splitSentences } from '#lib/engine/brain/sentences.ts';
import { toSpokenText } from '#lib/engine/brain/spoken-text.ts';
import type { CallPlan } from '#lib/engine/plan.ts';

const INSTRUCTION =
  /\b(?:you|your|never|always|don't|do not|must|should|if|when|callers?|customers?|the person|agent|assistant|say|ask|tell|keep|be|speak|use|offer|respond|answer|politely|goal|task|greeting|greet|open with|pick up|book it|remind|somebody|someone)\b/i;
const STATES = /\b(?:is|are|was|were|has|have|had|costs?|opens?|can|takes?|lasts?)\b/i;
const HEADING = /^\s{0,3}#{1,6}\s/;
const TABLE_ROW = /^\s*\|.*\|\s*$/;
const LIST_MARK = /^\s*(?:[-*+•]|\d{1,2}[.)])\s+/;
const LABELLED = /^([\p{L}][\p{L}\p{N}&'’(), /-]{0,60}?)\s*(?::|\s[–—-])\s+(\S.*)$/u;
const DAY = String.raw`(?:sun|mon|tue|wed|thu|fri|sat)[a-z]{0,6}\.?`;
const NAMES_DAY = new RegExp(String.raw`\b(?:${DAY}(?![a-z])|daily|every day|weekdays?|weekends?)`, 'i');
const SAYS_WHEN = /\d\s*(?:[ap]\.?m\b|:\d\d|\s*(?:-|–|to|until|till)\s*\d)|\bclosed\b|\bnoon\b|\b24 hours\b/i;
const PRICE = /[$€£]\s?\d|\d\s?(?:euros?|dollars?|pounds?|eur|usd|gbp|chf|cents)\b|\bfree of charge\b/i;

type Kind = 'hours' | 'place' | 'prices' | 'contact' | 'other';
/** What a heading or a label of a prompt has below it, where that is facts. */
const TITLES: readonly [Kind, RegExp][] = [
  ['hours', /\bhours?\b|\bopening (?:times|days)\b|\bwhen we are open\b|^open(?:ing)?$/i],
  ['place', /\b(?:address|location|directions?|getting here|find us)\b|^where\b/i],
  ['prices', /\b(?:prices?|pricing|price list|fees?|rates?|costs?|tariffs?|menu)\b/i],
  ['contact', /\b(?:phone|telephone|tel|fax|e-?mail|website|web|contact)\b/i],
  [
    'other',
    /\b(?:parking|payments?|insurances?|services?|treatments?|products?|facts?|about us|information|faqs?|questions and answers|team|staff|doctors?|delivery|cancellations?|polic(?:y|ies))\b/i,
  ],
];
const HEADINGS: Record<Exclude<Kind, 'other'>, string> = {
  hours: 'Opening hours',
  place: 'Address',
  prices: 'Prices',
  contact: 'Contact',
};
const IS_HOURS = /\b(?:open|opens|hours|closed|we (?:work|are (?:here|in|there)))\b/i;
const IS_PLACE =
  /\bfind us\b|\b(?:is|are|am) located\b|\bour (?:\w+['’]?s? ){0,2}(?:address|office|shop|practice|studio|salon|clinic|restaurant|workshop) is (?:at|in|on)\b|\baddress is\b|\bwe(?:['’]re| are| sit)\b.{0,30}\b(?:at|in|on)\b.*\b(?:\d+|street|road|lane|avenue|square|floor|building|mall)\b/i;

/** A line of a prompt as `readPassages` reads it, and below which heading of ours it belongs. */
type Fact = { kind: Kind; row: string };

/**
 * What a prompt states as facts ("We are open from nine to five.", "Address: 14 Mill Lane", lists and tables of hours and
 * prices), as a text with headings, without what it tells the agent to do. `purpose`: why the agent calls.
 */
export function promptFacts(plan: CallPlan, purpose?: string): string {
  const variables = Object.entries(plan.variables)
    .filter(
      ([name, value]) =>
        name !== 'question' && !/name$/i.test(name) && value.trim() !== '' && value.length < 200,
    )
    .map(([name, value]) => `The ${inWords(name)} is ${value}.`);
  const opening = splitSentences(plan.direction === 'OUTBOUND' ? plan.prompt.opening : '').filter(
    (sentence) => !sentence.endsWith('?') && !/^(?:hi|hello|good \w+)\b/i.test(sentence),
  );
  const called = purpose === undefined ? [] : [`I am calling ${purpose}.`];
  return [...opening, ...called, '', ...variables, '', ...factsOf(plan.prompt.body)].join('\n');
}

/** The rows of a prompt that state something; what stands below no heading of the prompt is sorted below ours. */
function factsOf(body: string): string[] {
  const plain: string[] = [];
  const sections: string[] = [];
  const sorted: Record<Exclude<Kind, 'other'>, string[]> = { hours: [], place: [], prices: [], contact: [] };
  let title: Kind | undefined;
  let isBelowHeading = false;
  const lines = body.split('\n');
  for (const [index, line] of lines.entries()) {
    if (HEADING.test(line) || isTitle(line, lines[index + 1] ?? '')) {
      const text = toSpokenText(line.replace(HEADING, '')).replace(/:$/, '');
      title = kindOfTitle(text);
      isBelowHeading = true;
      sections.push('', `# ${text}`);
      continue;
    }
    // A list that stood below a line with a colon is over.
    if (line.trim() === '' && !LIST_MARK.test(lines[index + 1] ?? '') && title !== undefined)
      isBelowHeading = HEADING.test(lines.slice(0, index).findLast((each) => isHeadingLine(each)) ?? '');
    if (TABLE_ROW.test(line)) {
      sections.push(line);
      continue;
    }
    for (const { kind, row } of readFacts(line, isBelowHeading ? title : undefined)) {
      if (isBelowHeading) sections.push(row);
      else if (kind === 'other') plain.push(row);
      else sorted[kind].push(row);
    }
  }
  const added = Object.entries(sorted).flatMap(([kind, rows]) =>
    rows.length === 0 ? [] : ['', `# ${HEADINGS[kind as keyof typeof HEADINGS]}`, ...rows],
  );
  return [...plain, ...added, ...sections];
}

function isHeadingLine(line: string): boolean {
  return HEADING.test(line) || /^[^.!?]{2,50}:\s*$/.test(line);
}

/** "Prices:" above a list, "Office hours" above days. */
function isTitle(line: string, next: string): boolean {
  const plain = toSpokenText(line);
  if (plain.split(' ').length > 5 || LIST_MARK.test(line)) return false;
  if (plain.endsWith(':')) return kindOfTitle(plain.slice(0, -1)) !== undefined;
  return kindOfTitle(plain) !== undefined && !/[.!?\d]/.test(plain) && NAMES_DAY.test(next);
}

function kindOfTitle(title: string): Kind | undefined {
  return title.split(' ').length > 6 ? undefined : TITLES.find(([, pattern]) => pattern.test(title))?.[0];
}

/** `title`: what the rows of this part of the prompt are. */
function readFacts(line: string, title: Kind | undefined): Fact[] {
  const plain = toSpokenText(line).replace(/\byou(?:['’]re| are) open\b/gi, 'we are open');
  const isItem = LIST_MARK.test(line);
  const mark = isItem ? '- ' : '';
  return splitSentences(plain).flatMap((sentence): Fact[] => {
    const { label, value } = labelOf(sentence);
    const named = label === '' ? undefined : kindOfTitle(label);
    const stated = label === '' || named === undefined ? sentence : value;
    // "You'll find us at 22 Oak Road" speaks to whoever asks.
    if (IS_PLACE.test(stated)) return [{ kind: 'place', row: mark + sentence }];
    if (INSTRUCTION.test(stated)) return [];
    if (named === 'place' || named === 'contact')
      return [{ kind: named, row: `Our ${inOwn(label)} is ${value}` }];
    const isHours = NAMES_DAY.test(stated) && SAYS_WHEN.test(stated);
    if (isHours && (named === 'hours' || title === 'hours' || IS_HOURS.test(sentence)))
      return [{ kind: 'hours', row: mark + stated }];
    if (
      PRICE.test(stated) &&
      (label !== '' || isItem || title === 'prices' || named === 'prices' || hasPrices(stated))
    )
      return priceRows(named === 'prices' ? value : sentence).map((row) => ({ kind: 'prices', row }));
    const isFact = named !== undefined || title !== undefined || STATES.test(sentence);
    return isFact ? [{ kind: 'other', row: mark + sentence }] : [];
  });
}

/** "Address: 14 Mill Lane", "Shop hours - Tue to Sat"; a dash may stand between two days as well. */
function labelOf(sentence: string): { label: string; value: string } {
  const [whole = '', label = '', value = ''] = sentence.match(LABELLED) ?? [];
  const isDash = whole !== '' && !whole.slice(label.length).trimStart().startsWith(':');
  const isOther = isDash && (NAMES_DAY.test(label) || STATES.test(label) || /\d/.test(label));
  return isOther ? { label: '', value: '' } : { label, value };
}

function inOwn(label: string): string {
  const name = label.toLowerCase().replace(/^our /, '');
  return /^(?:where|location)/.test(name)
    ? 'address'
    : name === 'tel' || name === 'phone'
      ? 'telephone number'
      : name;
}

function hasPrices(text: string): boolean {
  return (text.match(new RegExp(PRICE, 'gi')) ?? []).length > 1;
}

/** "Haircut 35 euros; colour 80 euros" as rows of their own, each with what it is the price of. */
function priceRows(text: string): string[] {
  const parts = text.replace(/[.]$/, '').split(/[;,]\s+(?:and\s+)?(?=.*\d)/);
  const isList = parts.length > 1 && parts.every((part) => PRICE.test(part) && /\p{L}{3}/u.test(part));
  return (isList ? parts : [text]).map((part) => {
    if (!isList || /\bcosts?\b|: /.test(part)) return isList ? `- ${part}` : part;
    const [, thing = '', amount = ''] =
      part.match(/^(.+?)\s+((?:from |at |for |is |are )?(?:[$€£]\s?)?\d.*)$/i) ?? [];
    return thing === '' ? `- ${part}` : `- ${thing}: ${amount}`;
  });
}

/** `dueDate`, `due_date`: "due date". */
function inWords(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase();
}
