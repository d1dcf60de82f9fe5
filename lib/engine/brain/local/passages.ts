import { splitSentences } from '#lib/engine/brain/sentences.ts';
import { toSpokenText } from '#lib/engine/brain/spoken-text.ts';

/** A sentence that can be spoken as an answer, and what it stands below: headings, the question it answers, its table's row. */
export type Passage = {
  text: string;
  /** From the outermost to the innermost. */
  path: readonly string[];
  /** The same for all sentences of one paragraph, list or answer. */
  group: number;
  /** An item of a list or a row: no sentence of its own until it is made one. */
  isItem: boolean;
};

const HEADING = /^\s{0,3}(#{1,6})\s+(.+?)\s*#*$/;
const LABELLED = /^([\p{L}][\p{L}\p{N}&'’() /-]{0,50}): (\S.*)$/u;
const ITEM = /^\s*(?:[-*+•]|\d{1,2}[.)])\s+/;
const MONEY = /[$€£]\s?\d|\d\s?(?:euros?|dollars?|pounds?|eur|usd|gbp)\b/i;
const UNITS: readonly [RegExp, string][] = [
  [/[ _(]*(?:in )?(?:usd|dollars?|\$)\)?$/i, 'dollars'],
  [/[ _(]*(?:in )?(?:eur|euros?|€)\)?$/i, 'euros'],
  [/[ _(]*(?:in )?(?:gbp|pounds?|£)\)?$/i, 'pounds'],
  [/[ _](?:in )?(minutes|hours|days|weeks|months|years|percent|km|miles)$/i, '$1'],
];

/**
 * The sentences of a chunk with the headings they stand below. Headings are marked with `#`; in texts without marks, and in
 * chunks that were indexed before marks were kept, a short line of its own is one.
 */
export function readPassages(text: string): Passage[] {
  const passages: Passage[] = [];
  let headings: { level: number; text: string }[] = [];
  let asked = '';
  let group = 0;
  const add = (body: string, isItem = false, subject = '') => {
    const path = [...headings.map((heading) => heading.text), asked, subject].filter((part) => part !== '');
    for (const sentence of splitSentences(body)) passages.push({ text: sentence, path, group, isItem });
  };
  const enter = (level: number, heading: string) => {
    headings = [...headings.filter((above) => above.level < level), { level, text: heading }];
    asked = '';
  };
  const blocks = joinWrapped(readTables(readJsonLines(text))).split('\n');
  for (const [index, line] of blocks.entries()) {
    const plain = toSpokenText(line);
    const isAlone = (blocks[index - 1] ?? '').trim() === '' && (blocks[index + 1] ?? '').trim() === '';
    if (plain === '') {
      group += 1;
      continue;
    }
    const marked = line.match(HEADING);
    if (marked) enter(marked[1]?.length ?? 1, plain);
    else if (looksLikeHeading(plain, isAlone, line)) enter(6, plain);
    else {
      const question = readQuestion(plain);
      if (question) {
        asked = question.asked;
        group += 1;
        if (question.answer !== '') add(question.answer);
        continue;
      }
      const record = readRecord(plain);
      if (record) {
        group += 1;
        for (const fact of record.facts) add(fact, false, record.subject);
        continue;
      }
      const body = plain.replace(/^(?:a|answer)\s*[:.]\s*/i, '');
      const isShort = !/[.!?]$/.test(body) && body.split(' ').length <= 8;
      if (ITEM.test(line) || LABELLED.test(body) || isShort) add(speakItem(body), true);
      else add(body);
    }
  }
  return passages;
}

const JSON_LINE = /^([A-Za-z_$][\w$-]*(?:\[\d+\])?(?:\.[A-Za-z_$][\w$-]*(?:\[\d+\])?)*): (\S.*)$/;

/** A record of a JSON document begins with its place in it, `$.openingHours`, to which its lines are relative. */
function readJsonLines(text: string): string {
  if (!/^\$[\w$.[\]-]*$/m.test(text)) return readJsonRecord(text);
  return text
    .split(/^(?=\$[\w$.[\]-]*$)/m)
    .map((record) => {
      const [, place = '', lines = ''] = record.match(/^\$\.?(\S*)\n([^]*)$/) ?? [undefined, '', record];
      const read = readJsonRecord(lines);
      return read === lines && place !== '' ? readJsonRecord(lines.replace(/^(?=\S)/gm, `${place}.`)) : read;
    })
    .join('\n');
}

/** A JSON document is indexed as lines `openingHours.monday: 8 am to 6 pm`: its objects become headings. */
function readJsonRecord(text: string): string {
  const lines = text.split('\n');
  if (!lines.every((line) => line.trim() === '' || JSON_LINE.test(line))) return text;
  const fields = lines.flatMap((line) => {
    const [, path = '', value = ''] = line.match(JSON_LINE) ?? [];
    const keys = path.split('.').map((key) =>
      key
        .replace(/\[\d+\]/g, '')
        .replace(/[_-]+/g, ' ')
        .replace(/([a-z])([A-Z])/g, '$1 $2'),
    );
    return path === '' ? [] : [{ keys, value }];
  });
  const valueOf = (name: RegExp) =>
    fields.find(({ keys }) => keys.length === 1 && name.test(keys[0] ?? ''))?.value;
  const days = valueOf(/^(?:week)?days?$/i);
  const [from, until] = [valueOf(/^(?:opens?|from|start)$/i), valueOf(/^(?:closes?|to|until|end)$/i)];
  if (days && from && until) return `# Opening hours\n${days}: ${from} to ${until}`;
  if (days && valueOf(/^closed$/i) === 'true') return `# Opening hours\n${days}: closed`;
  if (fields.every(({ keys }) => keys.length === 1)) return text;
  let above = '';
  return fields
    .flatMap(({ keys, value }) => {
      const heading = keys.slice(0, -1).join(', ');
      const row = `${keys.at(-1)?.replace(/^./, (letter) => letter.toUpperCase())}: ${value}`;
      const isNew = heading !== above;
      above = heading;
      return isNew ? ['', `# ${heading || keys.at(-1)}`, row] : [row];
    })
    .join('\n');
}

/** The rows of a Markdown table as records: `| Treatment | Fee |` above `| Crown | 900 |` is "Treatment: Crown. Fee: 900". */
function readTables(text: string): string {
  let names: string[] | undefined;
  return text
    .split('\n')
    .flatMap((line) => {
      const isRow = /^\s*\|.*\|\s*$/.test(line);
      const cells = line
        .trim()
        .replace(/^\||\|$/g, '')
        .split('|')
        .map((cell) => cell.trim());
      if (!isRow) names = undefined;
      else if (!names) names = cells;
      else if (!cells.every((cell) => /^[-: ]*$/.test(cell)))
        return cells.map((cell, at) => `${names?.[at] ?? ''}: ${cell}`).join('. ');
      return isRow ? [] : [line];
    })
    .join('\n');
}

/** A line that only wraps goes on in small letters. */
function joinWrapped(text: string): string {
  return text.replace(/(?<=[^.!?:;\n])\n(?=\p{Ll})/gu, ' ');
}

function looksLikeHeading(plain: string, isAlone: boolean, line: string): boolean {
  if (plain.length > 80 || /[.!?;,]$/.test(plain) || ITEM.test(line)) return false;
  if (/^[^\p{Ll}]*\p{Lu}{3}[^\p{Ll}]*$/u.test(plain)) return true;
  if (plain.endsWith(':')) return isAlone || plain.split(' ').length <= 6;
  return isAlone && plain.split(' ').length <= 8 && !/\d/.test(plain) && !LABELLED.test(plain);
}

/** "Q: Where are you?", "Where are you? In Oak Lane." */
function readQuestion(plain: string): { asked: string; answer: string } | undefined {
  const stripped = plain.replace(/^(?:q|question)\s*[:.]\s*/i, '');
  const [, asked, answer = ''] =
    stripped.match(/^([^.!?]{5,160}\?)(?:\s+(?:(?:a|answer)\s*[:.]\s*)?(.*))?$/i) ?? [];
  return asked === undefined ? undefined : { asked, answer };
}

/** A row of a table ("Treatment: Whitening. Price: 350."): each field is a sentence about what the first one names. */
function readRecord(line: string): { subject: string; facts: string[] } | undefined {
  const fields = [
    ...line.matchAll(
      /([\p{L}][\p{L}\p{N}_ ]{0,40}): (.+?)(?:\.(?=\s+[\p{L}][\p{L}\p{N}_ ]{0,40}: )|\.?$)\s*/gu,
    ),
  ];
  const [first, ...rest] = fields.map(([, name = '', value = '']) => ({ name, value: value.trim() }));
  if (!first || rest.length === 0) return undefined;
  if (fields.map(([whole]) => whole).join('').length < line.length) return undefined;
  const described = rest.map(({ value }) => value).filter((value) => /\p{L}{3}/u.test(value));
  return {
    subject: [first.value, ...described].join(', '),
    facts: rest.map(({ name, value }) => speakField(first.value, name, value)),
  };
}

function speakField(subject: string, name: string, value: string): string {
  const unit = UNITS.find(([pattern]) => pattern.test(name));
  const label = (unit ? name.replace(unit[0], '') : name).replace(/_/g, ' ').toLowerCase();
  const isNumber = /^[\d.,]+$/.test(value);
  const named =
    unit && isNumber
      ? `${value} ${unit[1].replace('$1', () => name.match(unit[0])?.[1]?.toLowerCase() ?? '')}`
      : value;
  if (/^(?:price|cost|fee|rate)/.test(label) && /\d/.test(value))
    return /^0(?:[.,]0+)?$/.test(value) ? `${subject} is free of charge.` : `${subject} costs ${named}.`;
  if (/^(?:duration|length|time)$/.test(label) && /\d/.test(value)) return `${subject} takes ${named}.`;
  if (/^(?:note|description|details?|remarks?|comment|field|info)s?$/.test(label))
    return `${subject}: ${value}.`;
  if (/^days?(?: in.*)?$/.test(label) || /^(?:available|when)/.test(label))
    return `${subject} is there ${value}.`;
  return `The ${label} of ${subject} is ${named}.`;
}

/** "Pizza: 9 to 15 euros" as a sentence. */
function speakItem(item: string): string {
  const [, label = '', value = ''] = item.match(LABELLED) ?? [];
  if (label === '') return item;
  return MONEY.test(value) && !/\b(?:costs?|is|are|from)\b/i.test(value) ? `${label} costs ${value}` : item;
}
