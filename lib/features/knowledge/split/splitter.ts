import { type Block, CHUNK_CHARACTERS, type Chunk, type Place } from './chunk.ts';
import { createProseSplitter, headingLine } from './prose.ts';

/** A heading starts a new chunk once this much stands before it; shorter sections share one. */
const SECTION_CHARACTERS = 500;
const MAX_HEADING_CHARACTERS = 200;

/** Turns the blocks of a file into chunks. `emit` gets them in order; `add` and `finish` return the characters so far. */
export function createSplitter(emit: (chunk: Chunk) => void) {
  let offset = 0;
  let prose = createProseSplitter(0, emit);
  const records = createRecordSplitter(emit);
  let headings: { level: number; text: string }[] = [];
  let headingPath: string[] | undefined;
  let inRecords = false;

  function addProse(text: string, page: number | undefined): void {
    const place: Place = {
      ...(headingPath ? { headings: headingPath } : {}),
      ...(page === undefined ? {} : { page }),
    };
    // One object per place: the prose splitter compares headings by identity.
    prose.append(`${text}\n\n`, place);
    offset += text.length + 2;
  }

  function enterHeading(block: Extract<Block, { kind: 'heading' }>): void {
    if (prose.freshLength() >= SECTION_CHARACTERS) prose.flush();
    headings = headings.filter((heading) => heading.level < block.level);
    headings.push({ level: block.level, text: block.text.slice(0, MAX_HEADING_CHARACTERS) });
    headingPath = headings.map((heading) => heading.text);
    addProse(headingLine(block.text, block.level), block.page);
  }

  function enterRecord(block: Extract<Block, { kind: 'record' }>): void {
    prose.flush();
    inRecords = true;
    records.add(block, offset);
    offset += block.text.length + 1;
  }

  return {
    add(given: Block): number {
      const text = storable(given.text);
      const block = text === given.text ? given : { ...given, text };
      if (block.kind === 'record') {
        enterRecord(block);
        return offset;
      }
      if (inRecords) {
        inRecords = false;
        records.flush();
        prose = createProseSplitter(offset, emit);
      }
      if (block.kind === 'heading') enterHeading(block);
      else addProse(block.text, block.page);
      return offset;
    },
    finish(): number {
      prose.flush();
      records.flush();
      return offset;
    },
  };
}

/** PostgreSQL stores neither NUL characters nor unpaired surrogates. */
function storable(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\u0000') ? wellFormed.replaceAll('\u0000', '') : wellFormed;
}

type RecordBlock = Extract<Block, { kind: 'record' }>;

/** Packs whole records into chunks, the table's header before each; a record too long for one chunk is cut like prose. */
function createRecordSplitter(emit: (chunk: Chunk) => void) {
  let waiting: RecordBlock[] = [];
  let length = 0;
  let start = 0;

  function flush(): void {
    const first = waiting[0];
    const last = waiting.at(-1);
    if (!first || !last) return;
    const text = waiting.map((record) => record.text).join('\n');
    emit({ prefix: prefixOf(first), text, place: placeOf(first, last), start, end: start + text.length });
    waiting = [];
    length = 0;
  }

  function add(record: RecordBlock, offset: number): void {
    const room = CHUNK_CHARACTERS - prefixOf(record).length;
    const sameTable = waiting[0]?.header === record.header;
    if (waiting.length > 0 && (!sameTable || length + 1 + record.text.length > room)) flush();
    if (record.text.length > room) {
      const long = createProseSplitter(offset, (chunk) =>
        emit({ ...chunk, prefix: prefixOf(record), place: placeOf(record, record) }),
      );
      long.append(record.text, {});
      long.flush();
      return;
    }
    if (waiting.length === 0) start = offset;
    length += record.text.length + (waiting.length === 0 ? 0 : 1);
    waiting.push(record);
  }

  return { add, flush };
}

/** A header so long that it would crowd out the rows is not repeated whole. */
const MAX_PREFIX_CHARACTERS = 800;

function prefixOf(record: RecordBlock): string {
  return record.header === undefined ? '' : `${record.header.slice(0, MAX_PREFIX_CHARACTERS)}\n`;
}

function placeOf(first: RecordBlock, last: RecordBlock): Place {
  return {
    ...(first.row !== undefined && last.row !== undefined
      ? { rows: [first.row, last.row] as [number, number] }
      : {}),
    ...(first.jsonPath === undefined
      ? {}
      : { jsonPath: commonPath(first.jsonPath, last.jsonPath ?? first.jsonPath) }),
  };
}

/** `$.items[3]` and `$.items[7]` give `$.items[3] to $.items[7]`; anything else what both stand in. */
function commonPath(first: string, last: string): string {
  if (first === last) return first;
  if (first.replace(/\[\d+\]$/, '') === last.replace(/\[\d+\]$/, '')) return `${first} to ${last}`;
  const firstSteps = first.split(/(?=[.[])/);
  const lastSteps = last.split(/(?=[.[])/);
  const shared = firstSteps.findIndex((step, index) => step !== lastSteps[index]);
  return shared === -1 ? first : firstSteps.slice(0, shared).join('');
}
