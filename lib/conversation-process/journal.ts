import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readRecordingFiles, type Recording, removeRecordingFiles } from '#lib/engine/call-recorder.ts';
import type { Clock } from '#lib/ports/clock.ts';
import { syncPath } from '#lib/sync-to-disk.ts';
import type { CallReport, ToldResult } from './protocol.ts';

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const POLL_MS = 100;
/** A call of an hour with many tools has left about one megabyte. What comes after so many is in the database alone. */
const MOST_BYTES = 16 * 1024 * 1024;
/** A call whose lease ran out meanwhile was ended elsewhere, with what was stored. */
const KEPT_MS = 24 * 3_600_000;

/** What a line of a journal says, after the first one, which names the process that writes it. */
export type JournalEntry =
  | { kind: 'report'; atMs: number; report: CallReport }
  | { kind: 'ended'; result: ToldResult };

/** The first line. */
type JournalHead = { kind: 'process'; pid: number };

/** What a conversation left outside the database. */
export type LeftConversation = {
  reports: { at: Date; report: CallReport }[];
  /** Undefined where the process died before the conversation ended. */
  result: ToldResult | undefined;
};

/** Where a process keeps what a call reports until it is stored: two files of sound lie beside the journal. */
const JOURNAL = '.jsonl';
const journalPath = (folder: string, callId: string) => join(folder, `${fileNameOf(callId)}${JOURNAL}`);
export const recordingPath = (folder: string, callId: string) => join(folder, fileNameOf(callId));
export const journalFolder = (dataDir: string) => join(dataDir, 'conversations');
/** Of simulations: what a process leaves there belongs to no call, and nobody comes back for it. */
export const simulationFolder = (dataDir: string) => join(dataDir, 'simulations');

function fileNameOf(callId: string): string {
  if (!/^[\w-]+$/.test(callId)) throw new Error('this is not the id of a call');
  return callId;
}

export type JournalWriter = {
  /** Never waits and never throws. */
  append(entry: JournalEntry): void;
  /** Resolves when all that was appended until now is written, or could not be. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

/** The words of a call that a loss of power may take: each wait for the disk holds up everybody else's. */
const SYNC_EVERY_MS = 1_000;

/**
 * Appends what a call reports to a file that outlives the process, and brings it to the disk at its end and once a second
 * meanwhile: the database does not wait for the disk with what is in here (`mayBeLost`). `onFailed` hears of the first
 * write that failed: a full disk must not end a conversation.
 */
export function createJournalWriter(
  folder: string,
  callId: string,
  onFailed: (error: unknown) => void,
): JournalWriter {
  const head: JournalHead = { kind: 'process', pid: process.pid };
  let waiting = `${JSON.stringify(head)}\n`;
  let bytes = 0;
  let file: FileHandle | undefined;
  let writing: Promise<void> | undefined;
  let hasFailed = false;
  let syncedAt = 0;

  function fail(error: unknown): void {
    if (!hasFailed) onFailed(error);
    hasFailed = true;
  }

  async function write(): Promise<void> {
    let isNew = !file;
    try {
      file ??= await open(journalPath(folder, callId), 'a', PRIVATE_FILE);
      // What is appended during any of these waits is written before `writing` ends.
      while (waiting !== '') {
        const lines = waiting;
        waiting = '';
        await file.appendFile(lines);
        bytes += lines.length;
        if (bytes > MOST_BYTES) throw new Error(`the journal of a call is larger than ${MOST_BYTES} bytes`);
        // After the first line: a journal without it tells nobody whose it is.
        if (isNew) await syncPath(folder);
        isNew = false;
        if (performance.now() - syncedAt >= SYNC_EVERY_MS) await sync(file);
      }
    } catch (error) {
      fail(error);
    }
    writing = undefined;
  }

  async function sync(written: FileHandle): Promise<void> {
    syncedAt = performance.now();
    await written.datasync();
  }

  return {
    append(entry) {
      if (hasFailed) return;
      waiting += `${JSON.stringify(entry)}\n`;
      writing ??= write();
    },
    async flush() {
      await writing;
    },
    async close() {
      await writing;
      if (file) await sync(file).catch(fail);
      await file?.close();
    },
  };
}

export type Journals = {
  /** Calls of which something is left. */
  list(): Promise<string[]>;
  /**
   * What is left of a call whose process is gone; undefined where nothing is. While a process still says goodbye in it,
   * this waits, up to `LEAVE_WITHIN_MS`.
   */
  find(callId: string): Promise<LeftConversation | undefined>;
  /** What was recorded until the process died, `durationMs` of it; null where nothing was. */
  recording(callId: string, durationMs: number): Promise<Recording | null>;
  /** Leaves what a call has left to people: nobody reads it again, and it is removed with what nobody came back for. */
  setAside(callId: string): Promise<void>;
  /** Removes all that is left of a call; nothing there is no error. */
  remove(callId: string): Promise<void>;
};

/** A process that has lost the service says goodbye in its calls and is gone after this long. */
export const LEAVE_WITHIN_MS = 9_000;

/** The journals of this machine. `isOwn`: whether a process is one that this service started. */
export function openJournals(
  folder: string,
  { clock, isOwn }: { clock: Clock; isOwn: (pid: number) => boolean },
): Journals {
  async function find(callId: string): Promise<LeftConversation | undefined> {
    const until = clock.now().getTime() + LEAVE_WITHIN_MS;
    for (let isWhole = false; ;) {
      const lines = await readLines(journalPath(folder, callId));
      if (!lines) return undefined;
      if (isWhole || clock.now().getTime() >= until) return lines.left;
      isWhole = !lines.head || isOwn(lines.head.pid) || !(await isAlive(lines.head.pid));
      // Otherwise it is read once more: its process may have written its last words before it was found gone.
      if (!isWhole) await clock.sleep(POLL_MS);
    }
  }

  return {
    async list() {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return [];
        throw error;
      });
      return names.filter((name) => name.endsWith(JOURNAL)).map((name) => name.slice(0, -JOURNAL.length));
    },
    find,
    recording: (callId, durationMs) => readRecordingFiles(recordingPath(folder, callId), durationMs),
    async setAside(callId) {
      const path = journalPath(folder, callId);
      await rename(path, `${path}.unread`).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
    },
    async remove(callId) {
      await Promise.all([
        rm(journalPath(folder, callId), { force: true }),
        removeRecordingFiles(recordingPath(folder, callId)),
      ]);
    },
  };
}

/** Creates the folder, which only the service's user may enter, and removes what nobody came back for. */
export async function openJournalFolder(folder: string, clock: Clock): Promise<void> {
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
  const oldest = clock.now().getTime() - KEPT_MS;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const modified = await stat(path).catch(() => undefined);
    if (modified && modified.mtimeMs < oldest) await rm(path, { force: true });
  }
}

async function readLines(
  path: string,
): Promise<{ head: JournalHead | undefined; left: LeftConversation } | undefined> {
  let head: JournalHead | undefined;
  const left: LeftConversation = { reports: [], result: undefined };
  try {
    for await (const line of wholeLines(path)) {
      const entry = readEntry(line);
      // A loss of power leaves lines that nobody wrote.
      if (!entry) break;
      if (entry.kind === 'process') head = entry;
      else if (entry.kind === 'ended') left.result = entry.result;
      else left.reports.push({ at: new Date(entry.atMs), report: entry.report });
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  return { head, left };
}

function readEntry(line: string): JournalHead | JournalEntry | undefined {
  try {
    return JSON.parse(line) as JournalHead | JournalEntry;
  } catch {
    return undefined;
  }
}

/**
 * Piece by piece, so that requests are answered meanwhile. A last line without its end, which was cut off by the process's
 * death, is left out.
 */
async function* wholeLines(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of createReadStream(path, { encoding: 'utf8', end: 2 * MOST_BYTES })) {
    const lines = `${rest}${String(piece)}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

/** One that has ended and that nobody has asked for its exit code (Linux: state Z) is as good as gone. */
async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return !/\) Z /.test(status);
}
