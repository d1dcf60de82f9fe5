import { alaw, mulaw } from 'x-law';

/**
 * The codings of the telephone network (ITU-T G.711), a byte for each sample at 8 kHz. Pure, sample by sample: pieces
 * of any length may be coded by themselves.
 */
export type TelephoneCoding = 'mulaw' | 'alaw';

/** The byte that means silence, for what was lost. */
export const SILENT_BYTE: Record<TelephoneCoding, number> = { mulaw: 0xff, alaw: 0xd5 };

/** Signed 16-bit samples as bytes. */
export function encodeG711(coding: TelephoneCoding, samples: Int16Array): Uint8Array {
  return coding === 'mulaw' ? mulaw.encode(samples) : alaw.encode(samples);
}

/** Bytes as signed 16-bit samples. */
export function decodeG711(coding: TelephoneCoding, bytes: Uint8Array): Int16Array {
  return coding === 'mulaw'
    ? mulaw.decode(bytes)
    : alaw.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
}
