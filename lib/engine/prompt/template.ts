/**
 * The template language of prompts and openings (docs/prompts.md): `{{name}}`, and a choice between two texts,
 * `{{count < 2 ? "one" : "{{count}} of them"}}`. Reading never throws: faults are values with their position, and
 * a text with faults still gives nodes that can be spoken, the faulty parts left out.
 */
export type TemplateNode =
  | { kind: 'text'; text: string }
  | { kind: 'variable'; name: string }
  | {
      kind: 'choice';
      name: string;
      operator: Operator;
      number: number;
      first: TemplateNode[];
      second: TemplateNode[];
    }
  /** A faulty placeholder: rendered like a variable that was not given. */
  | { kind: 'broken' };

export type Operator = '<' | '<=' | '>' | '>=' | '==' | '!=';

export type TemplateProblem = {
  /** From 1. */
  line: number;
  /** From 1, in characters as a person counts them (code points). */
  column: number;
  /** The faulty part in UTF-16 units: `start` inclusive, `end` exclusive. */
  start: number;
  end: number;
  message: string;
};

export type Template = { nodes: TemplateNode[]; problems: TemplateProblem[] };

/** A choice inside a choice inside … : more than this is a mistake, and unbounded recursion would be a crash. */
const MAX_DEPTH = 8;
const MAX_PROBLEMS = 100;

const SPACE = /\s*/y;
const NAME = /[\p{L}\p{N}_][\p{L}\p{N}_.-]*/uy;
const OPERATOR = /<=|>=|==|!=|<|>/y;
const NUMBER = /[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?![\p{L}\p{N}_])/uy;

/** Opening and closing marks of a quoted text. `\"` serves inside a text that is itself in `"`. */
const QUOTES: readonly (readonly [string, string])[] = [
  ['\\"', '\\"'],
  ["\\'", "\\'"],
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
];

type Fault = { at: number; message: string };

type Reader = {
  source: string;
  at: number;
  depth: number;
  /** For each `{{`, where its own `}}` begins; absent when it is never closed. */
  closings: Map<number, number>;
  faults: { start: number; end: number; fault: Fault }[];
  /** The fault that made the placeholder in progress give up. */
  fault: Fault | undefined;
};

/** Parses `source`. Linear in its length, whatever it contains. */
export function readTemplate(source: string): Template {
  const reader: Reader = {
    source,
    at: 0,
    depth: 0,
    closings: matchBraces(source),
    faults: [],
    fault: undefined,
  };
  const nodes = readTopLevel(reader);
  return { nodes, problems: locate(source, reader.faults.slice(0, MAX_PROBLEMS)) };
}

function readTopLevel(reader: Reader): TemplateNode[] {
  const nodes: TemplateNode[] = [];
  while (reader.at < reader.source.length) {
    const open = reader.source.indexOf('{{', reader.at);
    const end = open === -1 ? reader.source.length : open;
    if (end > reader.at) nodes.push({ kind: 'text', text: reader.source.slice(reader.at, end) });
    reader.at = end;
    if (open !== -1) nodes.push(readPlaceholderOrRecover(reader));
  }
  return nodes;
}

function readPlaceholderOrRecover(reader: Reader): TemplateNode {
  const start = reader.at;
  const node = readPlaceholder(reader, start);
  if (node) return node;
  reader.at = endOfBroken(reader, start);
  const fault = reader.fault ?? { at: start, message: 'this placeholder cannot be read' };
  reader.fault = undefined;
  reader.faults.push({ start, end: reader.at, fault });
  return { kind: 'broken' };
}

function readPlaceholder(reader: Reader, start: number): TemplateNode | undefined {
  reader.at = start + 2;
  skipSpace(reader);
  const name = take(reader, NAME);
  if (name === undefined) return fail(reader, reader.at, 'expected the name of a variable after {{');
  skipSpace(reader);
  if (takeWord(reader, '}}')) return { kind: 'variable', name };
  const operator = takeOperator(reader);
  if (operator === undefined) return failAfterName(reader, start);
  const choice = readChoice(reader, name, operator);
  if (!choice) return undefined;
  skipSpace(reader);
  if (takeWord(reader, '}}')) return choice;
  return fail(reader, reader.at, 'expected }} after the second text');
}

function readChoice(reader: Reader, name: string, operator: Operator): TemplateNode | undefined {
  skipSpace(reader);
  const number = take(reader, NUMBER);
  if (number === undefined) return fail(reader, reader.at, `expected a number after ${operator}`);
  skipSpace(reader);
  if (!takeWord(reader, '?')) return fail(reader, reader.at, 'expected ? after the comparison');
  const first = readQuoted(reader);
  if (!first) return undefined;
  skipSpace(reader);
  if (!takeWord(reader, ':')) return fail(reader, reader.at, 'expected : between the two texts');
  const second = readQuoted(reader);
  if (!second) return undefined;
  return { kind: 'choice', name, operator, number: Number(number), first, second };
}

function readQuoted(reader: Reader): TemplateNode[] | undefined {
  skipSpace(reader);
  const start = reader.at;
  const quote = QUOTES.find(([open]) => reader.source.startsWith(open, start));
  if (!quote) return fail(reader, start, 'expected a text in quotes');
  if (reader.depth >= MAX_DEPTH) return fail(reader, start, `choices are nested more than ${MAX_DEPTH} deep`);
  reader.at += quote[0].length;
  reader.depth += 1;
  const nodes = readUntil(reader, quote[1], start);
  reader.depth -= 1;
  return nodes;
}

/** Reads the inside of a quoted text, its placeholders included, and the closing mark. */
function readUntil(reader: Reader, closing: string, start: number): TemplateNode[] | undefined {
  const nodes: TemplateNode[] = [];
  let text = '';
  while (reader.at < reader.source.length) {
    if (takeWord(reader, closing)) return withText(nodes, text);
    if (reader.source.startsWith('{{', reader.at)) {
      const node = readPlaceholder(reader, reader.at);
      if (!node) return undefined;
      withText(nodes, text).push(node);
      text = '';
    } else {
      text += takeCharacter(reader);
    }
  }
  return fail(reader, start, `this text is not closed with ${closing}`);
}

function withText(nodes: TemplateNode[], text: string): TemplateNode[] {
  if (text !== '') nodes.push({ kind: 'text', text });
  return nodes;
}

/** One character of a quoted text; a backslash lets a quote or a backslash through. */
function takeCharacter(reader: Reader): string {
  const character = reader.source.charAt(reader.at);
  const next = reader.source.charAt(reader.at + 1);
  if (character === '\\' && /["'\\“”„«»]/.test(next)) {
    reader.at += 2;
    return next;
  }
  reader.at += 1;
  return character;
}

function takeOperator(reader: Reader): Operator | undefined {
  return take(reader, OPERATOR) as Operator | undefined;
}

function failAfterName(reader: Reader, start: number): undefined {
  const next = reader.source.charAt(reader.at);
  if (next === '=') return fail(reader, reader.at, 'write == to compare with a number');
  if (next === '' || !reader.closings.has(start)) return fail(reader, start, 'this {{ is not closed with }}');
  return fail(reader, reader.at, 'expected }} or a comparison such as < 2 after the name');
}

function fail(reader: Reader, at: number, message: string): undefined {
  reader.fault ??= { at, message };
  return undefined;
}

function take(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.source)?.[0];
  if (found !== undefined) reader.at += found.length;
  return found;
}

function takeWord(reader: Reader, word: string): boolean {
  if (!reader.source.startsWith(word, reader.at)) return false;
  reader.at += word.length;
  return true;
}

function skipSpace(reader: Reader): void {
  take(reader, SPACE);
}

/**
 * Where reading goes on after a faulty placeholder: behind its own `}}`. One that is never closed gives up its
 * name alone, or, when it was to be a choice, the rest of its line: half a choice must not be spoken.
 */
function endOfBroken(reader: Reader, start: number): number {
  const { source } = reader;
  const closing = reader.closings.get(start);
  if (closing !== undefined) {
    // `{{{name}}}`, as other template languages write it, leaves no brace behind.
    const isTriple = source.charAt(start + 2) === '{' && source.charAt(closing + 2) === '}';
    return closing + (isTriple ? 3 : 2);
  }
  reader.at = start + 2;
  skipSpace(reader);
  take(reader, NAME);
  const afterName = reader.at;
  skipSpace(reader);
  if (!/[<>=!?]/.test(source.charAt(reader.at))) return afterName;
  const newline = source.indexOf('\n', afterName);
  const nextOpen = source.indexOf('{{', afterName);
  const ends = [newline, nextOpen].filter((end) => end !== -1);
  return ends.length > 0 ? Math.min(...ends) : source.length;
}

function matchBraces(source: string): Map<number, number> {
  const closings = new Map<number, number>();
  const open: number[] = [];
  for (const match of source.matchAll(/\{\{|\}\}/g)) {
    if (match[0] === '{{') {
      open.push(match.index);
      continue;
    }
    const start = open.pop();
    if (start !== undefined) closings.set(start, match.index);
  }
  return closings;
}

function locate(source: string, faults: Reader['faults']): TemplateProblem[] {
  return faults.map(({ start, end, fault }) => {
    const before = source.slice(0, fault.at);
    const lineStart = before.lastIndexOf('\n') + 1;
    return {
      line: before.split('\n').length,
      column: Array.from(before.slice(lineStart)).length + 1,
      start,
      end,
      message: fault.message,
    };
  });
}
