import { flushCompileCache } from 'node:module';
import { createSplitter } from '../split/splitter.ts';
import type { Block, Chunk } from '../split/chunk.ts';
import type { ChunkSource } from '#db/schema/knowledge.ts';
import { startIndexing } from './indexing.ts';
import type { ParseCommand, ParseMessage, ParseOrder } from './protocol.ts';
import { readDocument } from './file-buffer.ts';
import { noText, UnreadableDocument } from './unreadable.ts';
import { startWatchdog } from './watchdog.ts';

/** Opened by the caller. */
const BUFFER_FD = 5;
let onAcknowledged: () => void = () => {};

process.on('message', (command: ParseCommand) => {
  if (command.kind === 'acknowledged') onAcknowledged();
  else void parse(command.order);
});
process.on('disconnect', () => process.exit());

async function parse(order: ParseOrder): Promise<void> {
  try {
    const { documentId, model, sizeBytes } = order;
    const indexing = startIndexing(
      { documentId, model, sizeBytes, bufferFd: BUFFER_FD },
      startWatchdog(order.limits),
      // A caller that is gone ends this process.
      (rows) => void say(rows).catch(() => {}),
    );
    onAcknowledged = indexing.acknowledge;
    const textLength = await extract(order, readDocument(BUFFER_FD, sizeBytes), indexing);
    if (indexing.count() === 0) throw noText();
    await indexing.finish();
    // For the next document; the caller ends this process at once.
    flushCompileCache();
    await say({ kind: 'done', textLength, chunkCount: indexing.count() });
  } catch (error) {
    await say(endOf(error));
  }
  process.exit();
}

/** Hands on all chunks, and tells how many UTF-16 units of text there are. */
async function extract(
  order: ParseOrder,
  bytes: Buffer,
  indexing: ReturnType<typeof startIndexing>,
): Promise<number> {
  const { documentId } = order;
  const splitter = createSplitter((chunk) =>
    indexing.add({
      documentId,
      seq: indexing.count(),
      text: chunk.prefix + chunk.text,
      source: sourceOf(chunk),
    }),
  );
  let textLength = 0;
  await readBlocks(order, bytes, (block) => {
    textLength = splitter.add(block);
    if (textLength > order.limits.textCharacters) throw tooMuchText(order);
    return indexing.room();
  });
  splitter.finish();
  return textLength;
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
