const TARGET_RATE_HZ = 16_000;

/** The samples of a mono 16-bit WAV file as 16 kHz PCM; voices recorded at 8 kHz are interpolated. */
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
      return rateHz === TARGET_RATE_HZ ? samples : resample(samples, rateHz);
    }
    offset += 8 + sizeBytes + (sizeBytes % 2);
  }
  throw new Error('a WAV file without a data chunk');
}

function resample(samples: Int16Array, rateHz: number): Int16Array {
  const out = new Int16Array(Math.floor((samples.length * TARGET_RATE_HZ) / rateHz));
  for (let index = 0; index < out.length; index += 1) {
    const position = (index * rateHz) / TARGET_RATE_HZ;
    const before = samples[Math.floor(position)] ?? 0;
    const after = samples[Math.floor(position) + 1] ?? before;
    out[index] = Math.round(before + (after - before) * (position % 1));
  }
  return out;
}
