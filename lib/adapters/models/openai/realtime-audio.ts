import { decodeG711, encodeG711 } from '#lib/media/g711.ts';
import { createResampler } from '#lib/media/resample.ts';
import type { VoiceLevel } from '#lib/media/voice-level.ts';
import { littleEndian } from '#lib/media/wav.ts';
import { SAMPLE_RATE_HZ } from '#lib/ports/media.ts';

/**
 * How a session carries sound, as its `format` names it. µ-law is what a telephone hears anyway, in a sixth of the bytes
 * (docs/decisions/0182).
 */
export type RealtimeCoding = {
  format: { type: 'audio/pcm'; rate: number } | { type: 'audio/pcmu' };
  rateHz: number;
  encode(samples: Int16Array): Uint8Array;
  decode(bytes: Buffer): Int16Array;
};

/** The only rate that the API takes as PCM. */
const PCM_RATE_HZ = 24_000;

const PCM: RealtimeCoding = {
  format: { type: 'audio/pcm', rate: PCM_RATE_HZ },
  rateHz: PCM_RATE_HZ,
  encode: littleEndian,
  decode: (bytes) =>
    Int16Array.from({ length: bytes.length >> 1 }, (_, index) => bytes.readInt16LE(index * 2)),
};
const MULAW: RealtimeCoding = {
  format: { type: 'audio/pcmu' },
  rateHz: 8_000,
  encode: (samples) => encodeG711('mulaw', samples),
  decode: (bytes) => decodeG711('mulaw', bytes),
};

export const codingFor = ({ isTelephone }: { isTelephone: boolean }): RealtimeCoding =>
  isTelephone ? MULAW : PCM;

/** Writes what a person says, as Base64. */
export function createSoundWriter(coding: RealtimeCoding): (samples: Int16Array) => string {
  const resampler = createResampler({ fromHz: SAMPLE_RATE_HZ, toHz: coding.rateHz });
  return (samples) => {
    const bytes = coding.encode(resampler.process(samples));
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  };
}

export type SoundReader = {
  /** The samples of a piece at 16 kHz, and how long the piece is. */
  read(base64: string): { samples: Int16Array; ms: number };
  /** What is left of the sound. */
  end(): Int16Array;
};

/** Reads what a model says; `level` makes it as loud as all voices. */
export function createSoundReader(coding: RealtimeCoding, level: VoiceLevel): SoundReader {
  const resampler = createResampler({ fromHz: coding.rateHz, toHz: SAMPLE_RATE_HZ });
  let odd = Buffer.alloc(0);
  return {
    read(base64) {
      const all = Buffer.concat([odd, Buffer.from(base64, 'base64')]);
      const samples = coding.decode(all);
      // Half a sample waits for its other half.
      odd = coding === PCM ? Buffer.from(all.subarray(samples.length * 2)) : odd;
      return {
        samples: level.process(resampler.process(samples)),
        ms: (samples.length / coding.rateHz) * 1_000,
      };
    },
    end() {
      const heldBack = Math.ceil((resampler.delayMs / 1_000) * coding.rateHz);
      const last = level.process(resampler.process(new Int16Array(heldBack)));
      level.end();
      return last;
    },
  };
}
