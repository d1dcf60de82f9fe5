import { AppError } from '#lib/errors.ts';

export type Waveform = { durationMs: number; bucketMs: number; agent: number[]; human: number[] };

const MAX_BUCKETS = 1500;
const MIN_BUCKET_MS = 20;
const MAX_HEADER_BYTES = 4096;

type WavFormat = { channels: number; sampleRateHz: number; dataOffset: number; dataBytes: number };

/**
 * Reads a 16-bit PCM WAV as it streams by and keeps the loudest sample of each stretch, for each speaker (left the
 * agent, right the human). Memory does not grow with the length of the recording.
 */
export async function computePeaks(body: AsyncIterable<Uint8Array>, sizeBytes: number): Promise<Waveform> {
  let header: Buffer = Buffer.alloc(0);
  let collector: PeakCollector | undefined;
  for await (const part of body) {
    if (collector) {
      collector.add(part);
      continue;
    }
    header = Buffer.concat([header, part]);
    const format = readFormat(header, sizeBytes);
    if (format) {
      collector = createPeakCollector(format);
      collector.add(header.subarray(format.dataOffset));
    } else if (header.length > MAX_HEADER_BYTES) break;
  }
  if (!collector) throw new AppError('INTERNAL_ERROR', 'The recording is not a 16-bit PCM WAV file');
  return collector.finish();
}

/** Walks the RIFF chunks up to `data`; undefined while the header is incomplete or is not ours. */
function readFormat(header: Buffer, sizeBytes: number): WavFormat | undefined {
  if (
    header.length < 12 ||
    header.toString('latin1', 0, 4) !== 'RIFF' ||
    header.toString('latin1', 8, 12) !== 'WAVE'
  ) {
    return undefined;
  }
  let offset = 12;
  let format: { channels: number; sampleRateHz: number } | undefined;
  while (offset + 8 <= header.length) {
    const name = header.toString('latin1', offset, offset + 4);
    const chunkBytes = header.readUInt32LE(offset + 4);
    const start = offset + 8;
    if (name === 'data') {
      // A streamed WAV may carry a placeholder length; the file's own size is what counts then.
      const dataBytes = Math.min(chunkBytes, sizeBytes - start);
      return format ? { ...format, dataOffset: start, dataBytes } : undefined;
    }
    if (name === 'fmt ' && start + 16 <= header.length) {
      if (header.readUInt16LE(start + 14) !== 16) return undefined;
      format = { channels: header.readUInt16LE(start + 2), sampleRateHz: header.readUInt32LE(start + 4) };
    }
    offset = start + chunkBytes + (chunkBytes % 2);
  }
  return undefined;
}

type PeakCollector = ReturnType<typeof createPeakCollector>;

function createPeakCollector(format: WavFormat) {
  const frameBytes = format.channels * 2;
  const frames = Math.floor(format.dataBytes / frameBytes);
  const durationMs = Math.round((frames / format.sampleRateHz) * 1000);
  const bucketMs = Math.max(MIN_BUCKET_MS, Math.ceil(durationMs / MAX_BUCKETS));
  const bucketFrames = Math.max(1, Math.round((bucketMs / 1000) * format.sampleRateHz));
  const buckets = Math.ceil(frames / bucketFrames);
  const agent = new Uint16Array(buckets);
  const human = new Uint16Array(buckets);
  let frame = 0;
  let rest: Buffer = Buffer.alloc(0);

  return {
    add(part: Uint8Array): void {
      const bytes =
        rest.length > 0
          ? Buffer.concat([rest, part])
          : Buffer.from(part.buffer, part.byteOffset, part.byteLength);
      let offset = 0;
      for (; offset + frameBytes <= bytes.length && frame < frames; offset += frameBytes, frame += 1) {
        const bucket = Math.floor(frame / bucketFrames);
        agent[bucket] = Math.max(agent[bucket] ?? 0, Math.abs(bytes.readInt16LE(offset)));
        const right = format.channels > 1 ? bytes.readInt16LE(offset + 2) : 0;
        human[bucket] = Math.max(human[bucket] ?? 0, Math.abs(right));
      }
      rest = Buffer.from(bytes.subarray(offset));
    },
    finish: (): Waveform => ({ durationMs, bucketMs, agent: scaled(agent), human: scaled(human) }),
  };
}

function scaled(peaks: Uint16Array): number[] {
  return Array.from(peaks, (peak) => Math.round(Math.min(1, peak / 32_767) * 1000) / 1000);
}
