import { CHUNK_CHARACTERS, type Chunk, LEAST_CHARACTERS, OVERLAP_CHARACTERS, type Place } from './chunk.ts';
import { lastWordBorder, sentencesOf, type Span } from './sentences.ts';

type Mark = { offset: number; place: Place };

/**
 * Cuts running text into chunks that end on sentence borders and overlap by whole sentences. Text comes in pieces of
 * any size; chunks leave as soon as they are certain, so a file of any size needs little memory.
 */
export function createProseSplitter(startOffset: number, emit: (chunk: Chunk) => void) {
  let pending = '';
  let pendingStart = startOffset;
  /** Text before this was already part of a chunk: the rest is overlap, not worth a chunk of its own. */
  let freshFrom = startOffset;
  let marks: Mark[] = [];

  function append(text: string, place: Place): void {
    const last = marks.at(-1);
    const offset = pendingStart + pending.length;
    if (!last || !samePlace(last.place, place)) marks.push({ offset, place });
    pending += text;
    if (pending.length > 2 * CHUNK_CHARACTERS) cutWhileLongerThan(CHUNK_CHARACTERS);
  }

  function cutWhileLongerThan(limit: number): void {
    let from = 0;
    while (pending.length - from > limit - prefixAt(from).length) from = cutAt(from);
    pending = pending.slice(from);
    pendingStart += from;
    const firstMark = marks.findLastIndex((mark) => mark.offset <= pendingStart);
    if (firstMark > 0) marks = marks.slice(firstMark);
  }

  /** Emits one chunk that starts at `from` in the pending text; answers where the next one starts. */
  function cutAt(from: number): number {
    const window = pending.slice(from, from + CHUNK_CHARACTERS - prefixAt(from).length);
    const { length, overlap } = cutInTail(window) ?? cutAnywhere(window);
    emitSlice(from, from + length);
    return from + (overlap ?? length);
  }

  function emitSlice(from: number, to: number): void {
    const raw = pending.slice(from, to);
    const text = raw.trim();
    if (text === '') return;
    const start = pendingStart + from + raw.length - raw.trimStart().length;
    freshFrom = pendingStart + to;
    emit({ prefix: prefixAt(from), text, place: placeAt(start), start, end: start + text.length });
  }

  /** The headings that the text at `from` stands below and does not begin with: a chunk must tell its own section. */
  function prefixAt(from: number): string {
    const at = from + Math.max(0, pending.slice(from, from + CHUNK_CHARACTERS).search(/\S/));
    const { headings } = placeAt(pendingStart + at);
    if (!headings) return '';
    return pathLines(
      startsWithHeading(pending, at, headings.at(-1) ?? '') ? headings.slice(0, -1) : headings,
    );
  }

  function placeAt(offset: number): Place {
    return marks.findLast((mark) => mark.offset <= offset)?.place ?? marks[0]?.place ?? {};
  }

  return {
    append,
    /** Characters that no chunk holds yet. */
    freshLength: () => pendingStart + pending.length - freshFrom,
    /** Emits what is left, and goes on as if at the start of a text. */
    flush() {
      cutWhileLongerThan(CHUNK_CHARACTERS);
      if (pendingStart + pending.trimEnd().length > freshFrom) emitSlice(0, pending.length);
      pendingStart += pending.length;
      freshFrom = pendingStart;
      pending = '';
      marks = [];
    },
  };
}

const HEADING_MARK = /^#{1,6} /;
const MAX_MARK = 8;

/** Whether this heading, with its mark, is what stands at `at`. */
function startsWithHeading(text: string, at: number, heading: string): boolean {
  return (
    HEADING_MARK.test(text.slice(at, at + MAX_MARK)) && text.startsWith(heading, text.indexOf(' ', at) + 1)
  );
}

/** More of a path is not repeated: it would crowd out the text. The innermost headings say most. */
const MAX_PATH_CHARACTERS = 300;

/** A path of headings as Markdown, one a line. */
function pathLines(headings: readonly string[]): string {
  let path = '';
  for (const [index, heading] of [...headings.entries()].toReversed()) {
    const line = `${headingLine(heading, index + 1)}\n`;
    if (path.length + line.length > MAX_PATH_CHARACTERS) break;
    path = line + path;
  }
  return path;
}

/** A heading keeps its mark in the text: without it nobody could tell it from a sentence. */
export function headingLine(heading: string, level: number): string {
  return `${'#'.repeat(Math.min(Math.max(level, 1), 6))} ${heading}`;
}

type Cut = { length: number; overlap: number | undefined };

/** As much of a window as is looked at first: finding sentences takes most of the time of splitting. */
const TAIL_CHARACTERS = 900;
/** Where the tail begins, in mid-sentence, what looks like a border may be none. */
const UNCERTAIN_CHARACTERS = 50;

function cutInTail(window: string): Cut | undefined {
  const from = window.length - TAIL_CHARACTERS;
  const sentences = sentencesOf(window.slice(from)).map(({ start, end }) => ({
    start: from + start,
    end: from + end,
  }));
  const end = sentences.at(-2)?.end ?? 0;
  if (end < from + UNCERTAIN_CHARACTERS + 2 * OVERLAP_CHARACTERS) return undefined;
  return { length: end, overlap: overlapOf(sentences, end) };
}

function cutAnywhere(window: string): Cut {
  const sentences = sentencesOf(window);
  // The window breaks off in mid-sentence: its last span is no sentence, unless the text went on with a new one.
  const end = sentences.at(-2)?.end ?? 0;
  const length = end >= LEAST_CHARACTERS ? end : lastWordBorder(window, LEAST_CHARACTERS, window.length);
  return { length, overlap: overlapOf(sentences, length) };
}

/** Where the next chunk begins in one of this length, so that they share whole sentences. */
function overlapOf(sentences: Span[], length: number): number | undefined {
  const starts = sentences.map(({ start }) => start).filter((start) => start > 0 && start < length);
  return (
    starts.find((start) => length - start <= OVERLAP_CHARACTERS) ??
    starts.findLast((start) => length - start <= 2 * OVERLAP_CHARACTERS)
  );
}

function samePlace(left: Place, right: Place): boolean {
  return (
    left.page === right.page &&
    left.headings === right.headings &&
    left.rows === right.rows &&
    left.jsonPath === right.jsonPath
  );
}
