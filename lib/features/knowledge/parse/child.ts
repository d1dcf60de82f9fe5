import { createSplitter } from '../split/splitter.ts';
import type { Block, Chunk } from '../split/chunk.ts';
import { vectorOfTerms } from '#lib/text/lexical-vector.ts';
import { createTermBlockWriter, type TermBlock } from '#lib/text/term-blocks.ts';
import { countTerms, termHashes } from '#lib/text/vocabulary.ts';
import {
  type ChunkRow,
  chunkRows,
  type CopyRows,
  termBlockRows,
  type VectorRow,
  vectorRows,
} from '../content/rows.ts';
import { storedVector } from '../embedding/vector-codes.ts';
import { embeddedText } from './embedded-text.ts';
import type { ChunkSource } from '#db/schema/knowledge.ts';
import { comesWithVectors, type ParseCommand, type ParseMessage, type ParseOrder } from './protocol.ts';
import { joinSpool, type SpoolEnd } from './spool.ts';
import { noText, UnreadableDocument } from './unreadable.ts';
import { startWatchdog } from './watchdog.ts';

/** Chunks per message: small enough that taking them in never holds up the web process for long. */
const BATCH_CHUNKS = 48;
/** Blocks of terms per message, about as many bytes. */
const BATCH_BLOCKS = 96;
/** Opened by the caller. */
const SPOOL_FD = 5;
/** Batches on their way before this process waits for the caller. */
const WINDOW = 6;

let onTaken: () => void = () => {};

process.on('message', (command: ParseCommand) => {
  if (command.kind === 'taken') onTaken();
  else void parse(command.order);
});
process.on('disconnect', () => process.exit());

async function parse(order: ParseOrder): Promise<void> {
  const watch = startWatchdog(order.limits);
  const spool = joinSpool(SPOOL_FD);
  const outgoing = createOutgoing(order.documentId, spool, watch.waiting);
  try {
    const bytes = spool.readDocument(order.sizeBytes);
    const result = await extract(order, bytes, outgoing);
    await outgoing.finish();
    await say({ kind: 'done', ...result, chunkCount: outgoing.count() });
  } catch (error) {
    await say(endOf(error));
  }
  process.exit();
}

async function extract(order: ParseOrder, bytes: Buffer, outgoing: Outgoing) {
  const { documentId, model } = order;
  const withVectors = comesWithVectors(model);
  const terms = createTermBlockWriter((blocks) => outgoing.addTerms(blocks));
  const splitter = createSplitter((chunk) => {
    const row = {
      documentId,
      seq: outgoing.count(),
      text: chunk.prefix + chunk.text,
      source: sourceOf(chunk),
    };
    const counted = countTerms(embeddedText(row.text, row.source));
    terms.add(row.seq, termHashes(counted));
    const vector = withVectors ? { ...row, model, ...storedVector(vectorOfTerms(counted)) } : undefined;
    outgoing.add(row, vector);
  });
  let textLength = 0;
  const take = (block: Block): Promise<void> | undefined => {
    textLength = splitter.add(block);
    if (textLength > order.limits.textCharacters) throw tooMuchText(order);
    return outgoing.room();
  };
  await readBlocks(order, bytes, take);
  splitter.finish();
  terms.flush();
  return { textLength };
}

async function readBlocks(
  order: ParseOrder,
  bytes: Buffer,
  take: (block: Block) => Promise<void> | undefined,
): Promise<void> {
  // Loaded when needed: pdf.js alone takes 100 ms that a text file need not wait for.
  switch (order.fileType) {
    case 'PDF':
      return (await import('./pdf.ts')).readPdf(bytes, take);
    case 'DOCX':
      return (await import('./docx.ts')).readDocx(bytes, order.limits, take);
    case 'TXT':
      return takeAll((await import('./plain.ts')).readPlain(bytes), take);
    case 'MD':
      return takeAll((await import('./plain.ts')).readMarkdown(bytes), take);
    case 'JSON':
      return takeAll((await import('./json.ts')).readJson(bytes), take);
    case 'CSV':
      return (await import('./csv.ts')).readCsv(bytes, take);
  }
}

async function takeAll(
  blocks: Iterable<Block>,
  take: (block: Block) => Promise<void> | undefined,
): Promise<void> {
  for (const block of blocks) {
    const wait = take(block);
    if (wait) await wait;
  }
}

function sourceOf(chunk: Chunk): ChunkSource {
  return {
    ...chunk.place,
    ...(chunk.prefix === '' ? {} : { prefixLength: chunk.prefix.length }),
    start: chunk.start,
    end: chunk.end,
  };
}

type Outgoing = ReturnType<typeof createOutgoing>;

/** Hands on chunks and terms in batches and says when to wait for the caller. */
function createOutgoing(documentId: string, spool: SpoolEnd, waiting: (isWaiting: boolean) => void) {
  let chunks: ChunkRow[] = [];
  let vectors: VectorRow[] = [];
  let count = 0;
  let part = 0;
  let onTheWay = 0;
  let wake = () => {};
  onTaken = () => {
    spool.takenFirst();
    onTheWay -= 1;
    wake();
  };

  function send({ into, bytes }: CopyRows): void {
    onTheWay += 1;
    // A caller that is gone ends this process.
    say({ kind: 'rows', into, part: spool.write(bytes) }).catch(() => {});
  }

  function sendBatch(): void {
    send(chunkRows(chunks));
    if (vectors.length > 0) send(vectorRows(vectors));
    chunks = [];
    vectors = [];
  }

  /** Goes on once at most `limit` batches are on their way; that time is the caller's. */
  async function until(limit: number): Promise<void> {
    waiting(true);
    while (onTheWay > limit) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    waiting(false);
  }

  return {
    count: () => count,
    add(chunk: ChunkRow, vector: VectorRow | undefined): void {
      chunks.push(chunk);
      if (vector) vectors.push(vector);
      count += 1;
      if (chunks.length === BATCH_CHUNKS) sendBatch();
    },
    addTerms(blocks: TermBlock[]): void {
      const rows = blocks.map((block) => ({ ...block, documentId, part: part++ }));
      for (let at = 0; at < rows.length; at += BATCH_BLOCKS)
        send(termBlockRows(rows.slice(at, at + BATCH_BLOCKS)));
    },
    /** What to wait for before more is read. */
    room: (): Promise<void> | undefined => (onTheWay > WINDOW ? until(WINDOW) : undefined),
    async finish(): Promise<void> {
      if (count === 0) throw noText();
      if (chunks.length > 0) sendBatch();
      await until(0);
    },
  };
}

function say(message: ParseMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(message, undefined, undefined, (error) => (error ? reject(error) : resolve()));
  });
}

function tooMuchText(order: ParseOrder): UnreadableDocument {
  const most = order.limits.textCharacters.toLocaleString('en-US');
  return new UnreadableDocument(
    `The file holds more than ${most} characters of text, too many for a file of its size. Split it into parts.`,
  );
}

function endOf(error: unknown): ParseMessage {
  if (error instanceof UnreadableDocument) return { kind: 'unreadable', reason: error.message };
  if (error instanceof Error && 'syscall' in error) return { kind: 'failed', error: error.message };
  // What a parser stumbles over in a broken file is no use to the person who uploaded it.
  return {
    kind: 'unreadable',
    reason:
      'The file is damaged and cannot be read. Open it in the program it was made with, save it anew, and upload that.',
  };
}
