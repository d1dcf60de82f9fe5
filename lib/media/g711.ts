import { alaw, mulaw } from 'x-law';

/**
 * The codings of the telephone network (ITU-T G.711), a byte for each sample at 8 kHz. Pure, sample by sample: pieces
 * of any length may be coded by themselves.
 */
export type TelephoneCoding = 'mulaw' | 'alaw';

/** The byte that means silence, for what was lost. */
export const SILENT_BYTE: Record<TelephoneCoding, number> = { mulaw: 0xff, alaw: 0xd5 };

const LAWS = { mulaw, alaw };
const SAMPLES: Record<TelephoneCoding, Int16Array> = {
  mulaw: Int16Array.from({ length: 256 }, (_, byte) => mulaw.decodeSample(byte)),
  alaw: Int16Array.from({ length: 256 }, (_, byte) => alaw.decodeSample(byte)),
};

/** Signed 16-bit samples as bytes, in `into` where memory is used again. */
export function encodeG711(
  coding: TelephoneCoding,
  samples: Int16Array,
  into: Uint8Array = new Uint8Array(samples.length),
): Uint8Array {
  const { encodeSample } = LAWS[coding];
  for (let index = 0; index < samples.length; index += 1) into[index] = encodeSample(samples[index] ?? 0);
  return into;
}

/** Bytes as signed 16-bit samples, in `into` where memory is used again. */
export function decodeG711(
  coding: TelephoneCoding,
  bytes: Uint8Array,
  into: Int16Array = new Int16Array(bytes.length),
): Int16Array {
  const samples = SAMPLES[coding];
  for (let index = 0; index < bytes.length; index += 1) into[index] = samples[bytes[index] ?? 0] ?? 0;
  return into;
}
