import { describe, expect, it } from 'vitest';
import { computePeaks } from './peaks.ts';

/** A stereo WAV with `left` and `right` samples, with an extra chunk before the data if wanted. */
function wav(
  left: number[],
  right: number[],
  options: { extraChunk?: boolean; dataBytes?: number } = {},
): Buffer {
  const data = Buffer.alloc(left.length * 4);
  left.forEach((sample, index) => {
    data.writeInt16LE(sample, index * 4);
    data.writeInt16LE(right[index] ?? 0, index * 4 + 2);
  });
  const format = Buffer.alloc(24);
  format.write('fmt ', 0, 'latin1');
  format.writeUInt32LE(16, 4);
  format.writeUInt16LE(1, 8);
  format.writeUInt16LE(2, 10);
  format.writeUInt32LE(16_000, 12);
  format.writeUInt32LE(64_000, 16);
  format.writeUInt16LE(4, 20);
  format.writeUInt16LE(16, 22);
  const extra = options.extraChunk ? Buffer.from('LIST\x03\x00\x00\x00abc\x00', 'latin1') : Buffer.alloc(0);
  const head = Buffer.alloc(8);
  head.write('data', 0, 'latin1');
  head.writeUInt32LE(options.dataBytes ?? data.length, 4);
  return Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE', 'latin1'), format, extra, head, data]);
}

async function* inPieces(bytes: Buffer, pieceBytes: number): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < bytes.length; offset += pieceBytes)
    yield bytes.subarray(offset, offset + pieceBytes);
}

const silence = (count: number) => Array.from({ length: count }, () => 0);

describe('the waveform of a recording', () => {
  it('shows the loudest sample of each stretch, by speaker', async () => {
    const left = [...silence(320), ...silence(319), -16_384];
    const right = [32_767, ...silence(639)];
    const file = wav(left, right);
    expect(await computePeaks(inPieces(file, file.length), file.length)).toEqual({
      durationMs: 40,
      bucketMs: 20,
      agent: [0, 0.5],
      human: [1, 0],
    });
  });

  it('is the same however the bytes arrive', async () => {
    const left = Array.from({ length: 3_000 }, (_, index) => (index * 7_919) % 32_768);
    const file = wav(left, left.toReversed(), { extraChunk: true });
    const whole = await computePeaks(inPieces(file, file.length), file.length);
    for (const pieceBytes of [1, 3, 45, 1_000])
      expect(await computePeaks(inPieces(file, pieceBytes), file.length)).toEqual(whole);
  });

  it('stays small for an hour', async () => {
    async function* hour(): AsyncGenerator<Uint8Array> {
      const second = Buffer.alloc(64_000);
      yield wav([], [], { dataBytes: 3_600 * 64_000 });
      for (let index = 0; index < 3_600; index += 1) yield second;
    }
    const { agent, durationMs } = await computePeaks(hour(), 44 + 3_600 * 64_000);
    expect(durationMs).toBe(3_600_000);
    expect(agent.length).toBeLessThanOrEqual(1_500);
  });

  it('survives a file without samples, and refuses what is no WAV', async () => {
    const empty = wav([], []);
    expect(await computePeaks(inPieces(empty, 10), empty.length)).toMatchObject({
      durationMs: 0,
      agent: [],
      human: [],
    });
    await expect(
      computePeaks(inPieces(Buffer.from('hello there, this is no recording'), 5), 33),
    ).rejects.toThrow(/not a 16-bit PCM WAV/);
  });
});
