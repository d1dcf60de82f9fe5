import { resample } from '#lib/media/resample.ts';
import { SAMPLE_RATE_HZ } from '#lib/ports/media.ts';

/** The samples of a mono 16-bit WAV file as 16 kHz PCM; one voice was recorded at 8 kHz. */
export function decodeWav(wav: Uint8Array): Int16Array {
  const view = new DataView(wav.buffer, wav.byteOffset, wav.byteLength);
  const rateHz = view.getUint32(24, true);
  let offset = 12;
  while (offset + 8 <= view.byteLength) {
    const isData = view.getUint32(offset, false) === 0x64617461;
    const sizeBytes = view.getUint32(offset + 4, true);
    if (isData) {
      const end = Math.min(view.byteLength, offset + 8 + sizeBytes);
      const samples = new Int16Array((end - offset - 8) >> 1);
      for (let index = 0; index < samples.length; index += 1)
        samples[index] = view.getInt16(offset + 8 + index * 2, true);
      return resample(samples, { fromHz: rateHz, toHz: SAMPLE_RATE_HZ });
    }
    offset += 8 + sizeBytes + (sizeBytes % 2);
  }
  throw new Error('a WAV file without a data chunk');
}
