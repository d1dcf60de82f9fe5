import { expect, it } from 'vitest';
import { decodeG711, encodeG711, SILENT_BYTE } from './g711.ts';

/** Bytes and the samples that ITU-T G.711 gives for them, scaled to 16 bit. */
const KNOWN = {
  mulaw: [
    [0x00, -32_124],
    [0x80, 32_124],
    [0xff, 0],
    [0xfe, 8],
    [0x7e, -8],
    [0xef, 132],
    [0xc7, 1_436],
  ],
  alaw: [
    [0x2a, -32_256],
    [0xaa, 32_256],
    [0xd5, 8],
    [0x55, -8],
    [0x85, 4_224],
    [0x80, 5_504],
  ],
} as const;

it.each(['mulaw', 'alaw'] as const)('%s bytes are the samples of the standard, and back', (coding) => {
  for (const [byte, sample] of KNOWN[coding]) {
    expect(decodeG711(coding, Uint8Array.of(byte))).toEqual(Int16Array.of(sample));
    expect(encodeG711(coding, Int16Array.of(sample))).toEqual(Uint8Array.of(byte));
  }
});

it.each(['mulaw', 'alaw'] as const)('%s keeps every sample to within its step', (coding) => {
  const samples = Int16Array.from({ length: 65_536 }, (_, index) => index - 32_768);
  const back = decodeG711(coding, encodeG711(coding, samples));
  for (const [index, sample] of samples.entries()) {
    const step = Math.max(16, Math.abs(sample) / 16);
    if (Math.abs((back[index] ?? 0) - sample) > step) expect.fail(`${sample} became ${back[index]}`);
  }
});

it.each(['mulaw', 'alaw'] as const)('the silent byte of %s is silence', (coding) => {
  const [sample = Number.NaN] = decodeG711(coding, Uint8Array.of(SILENT_BYTE[coding]));
  expect(Math.abs(sample)).toBeLessThanOrEqual(8);
});

it('decodes a part of a larger buffer where it lies', () => {
  const packet = Uint8Array.of(1, 2, 3, 0xaa, 0xd5);
  expect(decodeG711('alaw', packet.subarray(3))).toEqual(Int16Array.of(32_256, 8));
});
