import type { Block } from '../split/chunk.ts';
import { decodedPieces } from './text-encoding.ts';

/** Longest piece of one paragraph that is handed on at once; sentences still join across the pieces. */
const MAX_PARAGRAPH = 64 * 1024;

/** Paragraphs of a text file, without holding more than one. */
export function* readPlain(bytes: Buffer): Generator<Block> {
  let lines: string[] = [];
  let length = 0;
  for (const line of linesOf(bytes)) {
    if (line.trim() !== '') {
      lines.push(line);
      length += line.length;
    }
    if (lines.length > 0 && (line.trim() === '' || length > MAX_PARAGRAPH)) {
      yield { kind: 'prose', text: lines.join('\n') };
      lines = [];
      length = 0;
    }
  }
  if (lines.length > 0) yield { kind: 'prose', text: lines.join('\n') };
}

const ATX_HEADING = /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Markdown: headings carry their level; what stands in a code fence is never a heading. */
export function* readMarkdown(bytes: Buffer): Generator<Block> {
  let lines: string[] = [];
  let length = 0;
  let fence: string | undefined;
  const paragraph = function* (): Generator<Block> {
    if (lines.length > 0) yield { kind: 'prose', text: lines.join('\n') };
    lines = [];
    length = 0;
  };
  for (const line of linesOf(bytes)) {
    const marker = FENCE.exec(line)?.[1];
    if (marker && fence === undefined) fence = marker;
    else if (marker && fence !== undefined && marker.startsWith(fence)) fence = undefined;
    const heading = fence === undefined ? ATX_HEADING.exec(line) : null;
    const underline =
      fence === undefined && lines.length === 1 ? /^ {0,3}(=+|-{2,})[ \t]*$/.exec(line) : null;
    if (heading) {
      yield* paragraph();
      yield { kind: 'heading', level: heading[1]?.length ?? 1, text: heading[2]?.trim() ?? '' };
    } else if (underline) {
      const text = lines.join('').trim();
      lines = [];
      yield { kind: 'heading', level: underline[1]?.startsWith('=') ? 1 : 2, text };
    } else if (line.trim() === '' && fence === undefined) {
      yield* paragraph();
    } else {
      lines.push(line);
      length += line.length;
      if (length > MAX_PARAGRAPH) yield* paragraph();
    }
  }
  yield* paragraph();
}

function* linesOf(bytes: Buffer): Generator<string> {
  let rest = '';
  for (const piece of decodedPieces(bytes)) {
    const lines = (rest + piece).split(/\r\n|\n|\r(?=.)/su);
    rest = lines.pop() ?? '';
    yield* lines;
    // One endless line must not be copied anew with every piece.
    while (rest.length > 4 * MAX_PARAGRAPH) {
      yield rest.slice(0, MAX_PARAGRAPH);
      rest = rest.slice(MAX_PARAGRAPH);
    }
  }
  yield rest;
}
