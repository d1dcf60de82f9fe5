import { type ChildProcess, spawn } from 'node:child_process';
import { getPriority, setPriority } from 'node:os';
import type { Readable, Stream } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { CopyRows } from '../content/rows.ts';
import type { ParseCommand, ParseMessage, ParseOrder, BufferedRows } from './protocol.ts';
import { openFileBuffer, type FileBuffer } from './file-buffer.ts';
import { UnreadableDocument } from './unreadable.ts';

const CHILD = new URL('./child.ts', import.meta.url).pathname;
/** Where Node keeps what it compiled: a small document takes two thirds of the time. A folder that only we write to. */
const COMPILED = new URL('../../../../node_modules/.cache/callwright/compiled', import.meta.url).pathname;
/** The JavaScript heap; buffers come on top and are watched together with it. */
const HEAP_MEGABYTES = 320;

/**
 * On Linux, two thirds of the service's share where both want the processor: others are answered first. At 5 a large file
 * took a tenth longer; at 10, on a busy machine, so long that it was refused.
 */
const NICE = 2;

export type ParseJob = {
  order: ParseOrder;
  /** Whose document it is: a workspace with a hundred documents does not hold up another one's first. */
  workspaceId: string;
  open(): Promise<ReadableStream<Uint8Array>>;
  /** Called when the job leaves the queue. */
  onStart(): Promise<void>;
  /** Rows for one transaction. Their bytes hold until this resolves. */
  onRows(rows: CopyRows[]): Promise<void>;
  signal: AbortSignal;
};

export type ParseResult = { textLength: number; chunkCount: number };

export type ParsePool = {
  /** Waits for a free process and parses. Throws UnreadableDocument with a reason for people, or what `signal` says. */
  run(job: ParseJob): Promise<ParseResult>;
};

/** At most `size` parsing processes at once; one process per document, so that nothing outlives the document it read. */
export function createParsePool(size: number): ParsePool {
  const running = new Map<string, number>();
  const waiting: { workspaceId: string; start: () => void }[] = [];
  let busy = 0;

  async function enter(workspaceId: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (busy >= size) await turn(workspaceId, signal);
    else busy += 1;
    running.set(workspaceId, (running.get(workspaceId) ?? 0) + 1);
  }

  function turn(workspaceId: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry = { workspaceId, start: () => resolve() };
      waiting.push(entry);
      signal.addEventListener(
        'abort',
        () => {
          const at = waiting.indexOf(entry);
          if (at === -1) return;
          waiting.splice(at, 1);
          reject(signal.reason as Error);
        },
        { once: true },
      );
    });
  }

  /** Hands the place to the workspace with the fewest processes, first come first served among equals. */
  function leave(workspaceId: string): void {
    running.set(workspaceId, (running.get(workspaceId) ?? 1) - 1);
    if (running.get(workspaceId) === 0) running.delete(workspaceId);
    const next = waiting.toSorted(
      (a, b) => (running.get(a.workspaceId) ?? 0) - (running.get(b.workspaceId) ?? 0),
    )[0];
    if (!next) {
      busy -= 1;
      return;
    }
    waiting.splice(waiting.indexOf(next), 1);
    next.start();
  }

  return {
    async run(job) {
      await enter(job.workspaceId, job.signal);
      try {
        job.signal.throwIfAborted();
        await job.onStart();
        return await parseInChild(job);
      } finally {
        leave(job.workspaceId);
      }
    },
  };
}

async function parseInChild(job: ParseJob): Promise<ParseResult> {
  const buffer = await openFileBuffer();
  const child = startChild(buffer.fd);
  const stopped = readAll(child.stdio[4]);
  const exited = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  const kill = () => child.kill('SIGKILL');
  job.signal.addEventListener('abort', kill, { once: true });
  // Taken away while the buffer was opened.
  if (job.signal.aborted) kill();
  const conversation = talkTo(child, buffer, job);
  const begun = begin(child, buffer, job);
  try {
    const outcome = begun.then(() => conversation.outcome);
    const result = await Promise.race([outcome, exited.then(() => undefined)]);
    if (result) return result;
    job.signal.throwIfAborted();
    throw endedEarly(await stopped);
  } finally {
    job.signal.removeEventListener('abort', kill);
    kill();
    await Promise.allSettled([exited, begun, conversation.lastAcknowledged()]);
    await buffer.close();
  }
}

function startChild(buffer: number): ChildProcess {
  // The parser sees nothing of the environment: no keys, no database address.
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${HEAP_MEGABYTES}`, '--max-semi-space-size=8', '--no-warnings', CHILD],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe', buffer],
      env: { NODE_ENV: 'production', NODE_COMPILE_CACHE: COMPILED },
    },
  );
  yieldToOthers(child);
  return child;
}

/** A process that could not be started has no number, and says so by its own event. */
function yieldToOthers(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) setPriority(child.pid, Math.min(getPriority() + NICE, 19));
  } catch {
    // Where the system forbids it, the process is as important as any other.
  }
}

/** Handles the child's messages, one after the other, until it says how it ended, or one cannot be handled. */
function talkTo(child: ChildProcess, buffer: FileBuffer, job: ParseJob) {
  let last: Promise<void> = Promise.resolve();
  const outcome = new Promise<ParseResult>((resolve, reject) => {
    child.on('message', (message: ParseMessage) => {
      last = last.then(() => handle(message));
      last.catch(reject);
    });
    async function handle(message: ParseMessage): Promise<void> {
      if (message.kind === 'rows') {
        for (const rows of rowsOf(message, buffer.read(message.part))) {
          await job.onRows(rows);
          // The embedded database answers without giving the event loop a turn.
          await setImmediate();
        }
        if (child.connected) child.send({ kind: 'acknowledged' } satisfies ParseCommand);
      } else if (message.kind === 'done')
        resolve({ textLength: message.textLength, chunkCount: message.chunkCount });
      else if (message.kind === 'unreadable') throw new UnreadableDocument(message.reason);
      else throw new Error(`the parsing process failed: ${message.error}`);
    }
  });
  // Whoever waits for it may have turned away before it ends.
  outcome.catch(() => {});
  return { outcome, lastAcknowledged: () => last };
}

/** The rows of each transaction. */
function rowsOf({ transactions }: BufferedRows, bytes: Uint8Array<ArrayBuffer>): CopyRows[][] {
  let at = 0;
  return transactions.map((tables) =>
    tables.map(({ into, length }) => {
      at += length;
      return { into, bytes: bytes.subarray(at - length, at) };
    }),
  );
}

async function begin(child: ChildProcess, buffer: FileBuffer, job: ParseJob): Promise<void> {
  const { sizeBytes } = await buffer.fill(await job.open());
  if (sizeBytes !== job.order.sizeBytes)
    throw new Error(`the stored file has ${sizeBytes} bytes instead of ${job.order.sizeBytes}`);
  if (child.connected) child.send({ kind: 'parse', order: job.order } satisfies ParseCommand);
}

async function readAll(stream: Stream | null | undefined): Promise<string> {
  let text = '';
  for await (const piece of stream as Readable) text += String(piece);
  return text;
}

function endedEarly(reason: string): UnreadableDocument {
  if (reason === 'time') {
    return new UnreadableDocument(
      'Reading the file took too long for its size. Save or export it anew, or split it into parts.',
    );
  }
  return new UnreadableDocument(
    'Reading the file needed too much memory. Save or export it anew, or split it into parts.',
  );
}
