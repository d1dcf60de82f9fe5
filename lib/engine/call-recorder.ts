import { type FileHandle, mkdtemp, open, rm, stat } from 'node:fs/promises';
import { endianness, tmpdir } from 'node:os';
import { join } from 'node:path';
import { WAV_HEADER_BYTES, wavHeader } from '#lib/media/wav.ts';
import { SAMPLES_PER_MS } from '#lib/ports/media.ts';

const PRIVATE_FILE = 0o600;
/** One second of both channels at a time. */
const CHUNK_SAMPLES = 16_000;
/** Sound comes in pieces of 20 ms: a second of a side is written at a time, and lost with the process at most (0185). */
const WRITTEN_AT_A_TIME = 1_000 * SAMPLES_PER_MS;
/** Two minutes of both sides that a disk has not taken yet: it is too slow, and memory has an end. */
const MOST_UNWRITTEN_BYTES = 8 * 1024 * 1024;

export type Recording = { body: AsyncIterable<Uint8Array>; sizeBytes: number };

/**
 * Records both sides of a call at 16 kHz, 16 bit. Each side goes to a file of its own at its place in time (what was never
 * written reads as silence), so an hour-long call needs no more memory than one utterance.
 */
export type CallRecorder = {
  /** Adds what was heard, `startMs` after the answer; written behind whoever calls it. */
  write(side: 'agent' | 'human', samples: Int16Array, startMs: number): void;
  /** Resolves when all that was added is written. Never rejects. */
  flush(): Promise<void>;
  /**
   * The stereo WAV, left the agent, right the human, exactly `durationMs` long; null where something could not be
   * written. The body can be read once.
   */
  finish(durationMs: number): Promise<Recording | null>;
  /** Frees the files of a recording that nobody will read. */
  discard(): Promise<void>;
};

/**
 * `onFailed` hears of the first write that failed: a full disk must not end a conversation. With a `path` the files stay
 * there for `readRecordingFiles`, whatever becomes of this process, until somebody removes them; without one they have no
 * name while they are used, and nothing is left behind.
 */
export function createCallRecorder(onFailed: (error: unknown) => void, path?: string): CallRecorder {
  let opening: Promise<Files | undefined> | undefined;
  let pending: Promise<unknown> = Promise.resolve();
  let hasFailed = false;
  let unwrittenBytes = 0;

  function fail(error: unknown): undefined {
    if (!hasFailed) onFailed(error);
    hasFailed = true;
  }

  /** Nothing is opened for a call on which nobody says anything. */
  const openOnce = () =>
    (opening ??= (path === undefined ? openNamelessFiles() : openFiles(path, 'w+')).catch(fail));

  function store(side: 'agent' | 'human', { samples, firstSample, release }: Piece): void {
    if (hasFailed) return;
    const bytes = bytesOf(samples);
    unwrittenBytes += bytes.byteLength;
    if (unwrittenBytes > MOST_UNWRITTEN_BYTES)
      return fail(new Error('The disk is too slow for the recording'));
    const done = openOnce()
      .then((files) => files?.[side].write(bytes, 0, bytes.byteLength, firstSample * 2))
      .then(() => {
        unwrittenBytes -= bytes.byteLength;
        release();
      }, fail);
    pending = Promise.all([pending, done]);
  }

  const sides = {
    agent: gather((piece) => store('agent', piece)),
    human: gather((piece) => store('human', piece)),
  };

  async function flush(): Promise<void> {
    sides.agent.flush();
    sides.human.flush();
    await pending;
  }

  async function discard(): Promise<void> {
    await pending;
    await closeFiles(await opening);
  }

  return {
    write(side, samples, startMs) {
      sides[side].add(samples, Math.max(0, Math.round(startMs * SAMPLES_PER_MS)));
    },
    flush,
    async finish(durationMs) {
      await flush();
      const files = await openOnce();
      if (hasFailed || !files) {
        await discard();
        return null;
      }
      return recordingOf(async () => files, durationMs);
    },
    discard,
  };
}

/** What is written at once: nobody else uses its samples until they are released. */
type Piece = { samples: Int16Array; firstSample: number; release(): void };

/**
 * Memory of all calls that waits to be filled again: frames that are kept outlive the collector's young generation, and a
 * second of memory for each write costs more than the write.
 */
const spare: Int16Array[] = [];
const MOST_SPARE = 256;

/** Gathers pieces that follow each other, and hands them on some at a time. */
function gather(store: (piece: Piece) => void) {
  let first = 0;
  let count = 0;
  let buffer: Int16Array | undefined;
  function flush(): void {
    const full = buffer;
    if (!full || count === 0) return;
    const release = () => void (spare.length < MOST_SPARE && spare.push(full));
    buffer = undefined;
    store({ samples: full.subarray(0, count), firstSample: first, release });
    count = 0;
  }
  return {
    flush,
    add(samples: Int16Array, firstSample: number): void {
      if (samples.length === 0) return;
      // A sample more or less is rounding.
      if (Math.abs(firstSample - first - count) > 1) flush();
      if (count + samples.length > WRITTEN_AT_A_TIME) flush();
      if (count === 0) first = firstSample;
      // Longer ones are no frames of a live call.
      if (samples.length > WRITTEN_AT_A_TIME)
        return store({ samples: samples.slice(), firstSample, release: () => undefined });
      buffer ??= spare.pop() ?? new Int16Array(WRITTEN_AT_A_TIME);
      buffer.set(samples, count);
      count += samples.length;
    },
  };
}

/** The memory of samples that nobody else uses, lowest byte first. */
function bytesOf(samples: Int16Array): Buffer {
  const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  return endianness() === 'LE' ? bytes : bytes.swap16();
}

type Files = { agent: FileHandle; human: FileHandle };

/** The recording of a conversation that another process ran, or was running when it died; null where nothing was recorded. */
export async function readRecordingFiles(path: string, durationMs: number): Promise<Recording | null> {
  const exists = await Promise.all(sidesAt(path).map((file) => stat(file).catch(() => undefined)));
  return exists.every((found) => found) ? recordingOf(() => openFiles(path, 'r'), durationMs) : null;
}

/** Opens the files when the body is read, and closes them after it. */
function recordingOf(openRecorded: () => Promise<Files>, durationMs: number): Recording {
  const sampleCount = Math.round(durationMs * SAMPLES_PER_MS);
  const body = async function* () {
    const files = await openRecorded();
    try {
      yield wavHeader({ sampleCount, channels: 2 });
      for (let done = 0; done < sampleCount; done += CHUNK_SAMPLES) {
        const count = Math.min(CHUNK_SAMPLES, sampleCount - done);
        const [left, right] = await Promise.all([
          readSamples(files.agent, done, count),
          readSamples(files.human, done, count),
        ]);
        yield interleave(left, right);
      }
    } finally {
      await closeFiles(files);
    }
  };
  return { body: body(), sizeBytes: WAV_HEADER_BYTES + sampleCount * 4 };
}

/** Removes what a recorder left at `path`. */
export async function removeRecordingFiles(path: string): Promise<void> {
  await Promise.all(sidesAt(path).map((file) => rm(file, { force: true })));
}

const sidesAt = (path: string) => [`${path}.agent.pcm`, `${path}.human.pcm`] as const;

async function openFiles(path: string, flags: 'r' | 'w+'): Promise<Files> {
  const [agent, human] = sidesAt(path);
  return { agent: await open(agent, flags, PRIVATE_FILE), human: await open(human, flags, PRIVATE_FILE) };
}

async function openNamelessFiles(): Promise<Files> {
  const folder = await mkdtemp(join(tmpdir(), 'callwright-recording-'));
  const files = await openFiles(join(folder, 'call'), 'w+');
  await rm(folder, { recursive: true, force: true });
  return files;
}

async function closeFiles(files: Files | undefined): Promise<void> {
  await Promise.all([files?.agent.close(), files?.human.close()]);
}

async function readSamples(file: FileHandle, firstSample: number, count: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(count * 2);
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, firstSample * 2 + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes;
}

function interleave(left: Uint8Array, right: Uint8Array): Uint8Array {
  const out = new Uint8Array(left.length * 2);
  for (let from = 0, to = 0; from < left.length; from += 2, to += 4) {
    out[to] = left[from] ?? 0;
    out[to + 1] = left[from + 1] ?? 0;
    out[to + 2] = right[from] ?? 0;
    out[to + 3] = right[from + 1] ?? 0;
  }
  return out;
}
