import { createSplitter } from '../split/splitter.ts';
import type { Block, Chunk } from '../split/chunk.ts';
import { LEXICAL_MODEL, vectorOfTerms } from '#lib/text/lexical-vector.ts';
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
import type { ParseCommand, ParseMessage, ParseOrder } from './protocol.ts';
import { noText, UnreadableDocument } from './unreadable.ts';
import { startWatchdog } from './watchdog.ts';

/** Chunks per message: small enough that taking them in never holds up the web process for long. */
const BATCH_CHUNKS = 48;
/** Blocks of terms per message, about as many bytes. */
const BATCH_BLOCKS = 96;
/** Messages on their way before this process waits for the caller. */
const WINDOW = 3;

let onTaken: () => void = () => {};

process.on('message', (command: ParseCommand) => {
  if (command.kind === 'taken') onTaken();
  else void parse(command.order);
});
process.on('disconnect', () => process.exit());

async function parse(order: ParseOrder): Promise<void> {
  const watch = startWatchdog(order.limits);
  const outgoing = createOutgoing(order.documentId, watch.waiting);
  try {
    const bytes = await readInput(order.sizeBytes);
    const result = await extract(order, bytes, outgoing);
    await outgoing.finish();
    await say({ kind: 'done', ...result, chunkCount: outgoing.count() });
  } catch (error) {
    await say({ kind: 'unreadable', reason: reasonOf(error) });
  }
  process.exit();
}

async function readInput(sizeBytes: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(sizeBytes);
  let at = 0;
  for await (const piece of process.stdin) at += (piece as Buffer).copy(bytes, at);
  if (at !== sizeBytes) throw new Error(`the stored file has ${at} bytes instead of ${sizeBytes}`);
  return bytes;
}

async function extract(order: ParseOrder, bytes: Buffer, outgoing: Outgoing) {
  const { documentId, model } = order;
  let room: Promise<void> | undefined;
  const waitFor = (wait: Promise<void> | undefined) => {
    if (wait) room = room ? Promise.all([room, wait]).then(() => {}) : wait;
  };
  const terms = createTermBlockWriter((blocks) => waitFor(outgoing.addTerms(blocks)));
  const splitter = createSplitter((chunk) => {
    const row = {
      documentId,
      seq: outgoing.count(),
      text: chunk.prefix + chunk.text,
      source: sourceOf(chunk),
    };
    const counted = countTerms(embeddedText(row.text, row.source));
    terms.add(row.seq, termHashes(counted));
    const isLocal = model === LEXICAL_MODEL;
    const vector = isLocal ? { ...row, model, ...storedVector(vectorOfTerms(counted)) } : undefined;
    waitFor(outgoing.add(row, vector));
  });
  let textLength = 0;
  const take = (block: Block): Promise<void> | undefined => {
    textLength = splitter.add(block);
    if (textLength > order.limits.textCharacters) throw tooMuchText(order);
    const wait = room;
    room = undefined;
    return wait;
  };
  await readBlocks(order, bytes, take);
  splitter.finish();
  terms.flush();
  if (room) await room;
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

/** Sends chunks and terms in batches and says when to wait for the caller. */
function createOutgoing(documentId: string, waiting: (isWaiting: boolean) => void) {
  let chunks: ChunkRow[] = [];
  let vectors: VectorRow[] = [];
  let count = 0;
  let part = 0;
  let onTheWay = 0;
  let waiters = 0;
  let wakes: (() => void)[] = [];
  onTaken = () => {
    onTheWay -= 1;
    const woken = wakes;
    wakes = [];
    for (const wake of woken) wake();
  };

  function send(rows: CopyRows[]): Promise<void> {
    onTheWay += 1;
    return say({ kind: 'rows', rows });
  }

  function sendBatch(): Promise<void> {
    const rows = vectors.length > 0 ? [chunkRows(chunks), vectorRows(vectors)] : [chunkRows(chunks)];
    chunks = [];
    vectors = [];
    return send(rows);
  }

  /** Waits until at most `limit` messages are on their way; that time is the caller's. */
  async function until(limit: number, sent: Promise<void> | undefined): Promise<void> {
    waiters += 1;
    waiting(true);
    await sent;
    while (onTheWay > limit) {
      await new Promise<void>((resolve) => {
        wakes.push(resolve);
      });
    }
    waiters -= 1;
    if (waiters === 0) waiting(false);
  }

  return {
    count: () => count,
    add(chunk: ChunkRow, vector: VectorRow | undefined): Promise<void> | undefined {
      chunks.push(chunk);
      if (vector) vectors.push(vector);
      count += 1;
      if (chunks.length < BATCH_CHUNKS) return undefined;
      return until(WINDOW, sendBatch());
    },
    async addTerms(blocks: TermBlock[]): Promise<void> {
      const rows = blocks.map((block) => ({ ...block, documentId, part: part++ }));
      for (let at = 0; at < rows.length; at += BATCH_BLOCKS)
        await until(WINDOW, send([termBlockRows(rows.slice(at, at + BATCH_BLOCKS))]));
    },
    async finish(): Promise<void> {
      if (count === 0) throw noText();
      await until(0, chunks.length > 0 ? sendBatch() : undefined);
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

function reasonOf(error: unknown): string {
  if (error instanceof UnreadableDocument) return error.message;
  // What a parser stumbles over in a broken file is no use to the person who uploaded it.
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  return 'The file is damaged and cannot be read. Open it in the program it was made with, save it anew, and upload that.';
}
