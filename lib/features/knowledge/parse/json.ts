import type { Block } from '../split/chunk.ts';
import { decodeWhole } from './text-encoding.ts';
import { UnreadableDocument } from './unreadable.ts';

const MAX_DEPTH = 100;
const WHITESPACE = /[ \t\n\r]*/y;
const QUOTE = 0x22;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const PLAIN_KEY = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;
/** The end of a string, or what makes it more than the characters that stand there. */
// oxlint-disable-next-line no-control-regex -- they are not allowed in a string
const AFTER_PLAIN = /["\\\u0000-\u001f]/g;
/** `path` is relative to the record. */
type Container = { isArray: boolean; index: number; path: string; record: RecordInProgress };
type RecordInProgress = {
  path: string;
  lines: string[];
  length: number;
  /** The path of the list whose numbers the last line holds. */
  list: string | undefined;
};
const newRecord = (path: string): RecordInProgress => ({ path, lines: [], length: 0, list: undefined });

function memberPath(path: string, key: string): string {
  if (!PLAIN_KEY.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** A record is handed on in parts of this size, so that no single object is collected whole. */
const RECORD_PART = 16 * 1024;

/**
 * Reads JSON in one pass, without building it: every value becomes a line `path: value`, and numbers that stand in a list
 * share one. An object that is an element of an array is a record of its own, whose lines are relative to it.
 */
export function* readJson(bytes: Buffer): Generator<Block> {
  const text = decodeWhole(bytes);
  const stack: Container[] = [];
  const root = newRecord('$');
  let hasElements = false;
  /** Finished records that the loop below hands out. */
  let finished: Block[] = [];
  let at = 0;

  function fail(what: string): never {
    const line = text.slice(0, at).split('\n').length;
    throw new UnreadableDocument(
      `This is not valid JSON: ${what} in line ${line}. Correct the file and upload it again.`,
    );
  }

  function skipWhitespace(): void {
    const code = text.charCodeAt(at);
    if (code > 32) return;
    WHITESPACE.lastIndex = at;
    WHITESPACE.test(text);
    at = WHITESPACE.lastIndex;
  }

  function readString(): string {
    AFTER_PLAIN.lastIndex = at + 1;
    const end = AFTER_PLAIN.test(text) ? AFTER_PLAIN.lastIndex - 1 : text.length;
    if (text.charCodeAt(end) === QUOTE) {
      const value = text.slice(at + 1, end);
      at = end + 1;
      return value;
    }
    const close = closingQuote();
    try {
      const value: unknown = JSON.parse(text.slice(at, close + 1));
      at = close + 1;
      return String(value);
    } catch {
      return fail('a damaged string');
    }
  }

  function closingQuote(): number {
    for (let quote = text.indexOf('"', at + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
      let slashes = 0;
      while (text.charCodeAt(quote - 1 - slashes) === 92) slashes += 1;
      if (slashes % 2 === 0) return quote;
    }
    return fail('a string that is never closed');
  }

  function readLiteral(): string {
    for (const literal of ['true', 'false', 'null']) {
      if (text.startsWith(literal, at)) {
        at += literal.length;
        return literal;
      }
    }
    NUMBER.lastIndex = at;
    const number = NUMBER.exec(text)?.[0];
    if (number === undefined)
      return fail(at >= text.length ? 'the end of the file' : `an unexpected "${text.slice(at, at + 1)}"`);
    at += number.length;
    return number;
  }

  function open(isArray: boolean, path: string, record: RecordInProgress): void {
    if (stack.length >= MAX_DEPTH) {
      throw new UnreadableDocument(
        `The JSON is nested more than ${MAX_DEPTH} levels deep. Flatten it, or upload the inner part alone.`,
      );
    }
    at += 1;
    stack.push({ isArray, index: 0, path, record });
  }

  function close(container: Container): void {
    at += 1;
    stack.pop();
    if (stack.at(-1)?.record !== container.record) flush(container.record);
  }

  function flush(record: RecordInProgress): void {
    if (record.lines.length === 0) return;
    // What stands behind an element of a list would read as if it belonged to that.
    hasElements ||= record !== root;
    const title = hasElements ? `${record.path}\n` : '';
    finished.push({ kind: 'record', text: title + record.lines.join('\n'), jsonPath: record.path });
    record.lines = [];
    record.length = 0;
    record.list = undefined;
  }

  function addLine(record: RecordInProgress, path: string, value: string): void {
    record.lines.push(path === '' ? value : `${path}: ${value}`);
    record.list = undefined;
    grow(record, path.length + value.length);
  }

  /** For a number, or `true` or `false`, in a list. */
  function addToList(record: RecordInProgress, list: string, value: string): void {
    const line = record.list === list ? record.lines.pop() : undefined;
    if (line === undefined) addLine(record, list, value);
    else {
      record.lines.push(`${line}, ${value}`);
      grow(record, value.length);
    }
    record.list = list;
  }

  function grow(record: RecordInProgress, length: number): void {
    record.length += length + 2;
    if (record.length > RECORD_PART) flush(record);
  }

  /** Reads one value, or enters a container. `list` is the path of the array it stands in, if it does. */
  function readValue(path: string, record: RecordInProgress, list?: string): void {
    const first = text[at];
    if (first === '[') return open(true, path, record);
    if (first === '{')
      return list === undefined
        ? open(false, path, record)
        : open(false, '', newRecord(record.path + (path.startsWith('[') ? path : `.${path}`)));
    const isText = first === '"';
    const value = isText ? readString() : readLiteral();
    if (isText ? value === '' : value === 'null') return;
    if (list === undefined || isText) addLine(record, path, value);
    else addToList(record, list, value);
  }

  /** One member of the innermost container, or its end. */
  function step(container: Container): void {
    const end = container.isArray ? ']' : '}';
    if (text[at] === end) return close(container);
    if (container.index > 0) {
      if (text[at] !== ',') fail(at >= text.length ? 'the end of the file' : 'a missing comma');
      at += 1;
      skipWhitespace();
      if (text[at] === end) fail('a comma before the end of a list');
    }
    const index = container.index++;
    if (container.isArray) {
      readValue(`${container.path}[${index}]`, container.record, container.path);
      return;
    }
    if (text[at] !== '"') fail('a missing key');
    const key = readString();
    skipWhitespace();
    if (text[at] !== ':') fail('a missing colon');
    at += 1;
    skipWhitespace();
    readValue(memberPath(container.path, key), container.record);
  }

  skipWhitespace();
  readValue('', root);
  for (let container = stack.at(-1); container; container = stack.at(-1)) {
    skipWhitespace();
    step(container);
    if (finished.length > 0) {
      yield* finished;
      finished = [];
    }
  }
  skipWhitespace();
  if (at < text.length) fail('text after the end');
  flush(root);
  yield* finished;
}
