import { SAMPLE_RATE_HZ } from '#lib/ports/media.ts';

export const WAV_HEADER_BYTES = 44;

/** The header of a WAV file of `sampleCount` samples for each channel, 16 kHz, signed 16 bit. */
export function wavHeader({ sampleCount, channels }: { sampleCount: number; channels: 1 | 2 }): Uint8Array {
  const frameBytes = channels * 2;
  const dataBytes = sampleCount * frameBytes;
  const view = new DataView(new ArrayBuffer(WAV_HEADER_BYTES));
  const text = (offset: number, value: string) => {
    for (let index = 0; index < value.length; index += 1)
      view.setUint8(offset + index, value.charCodeAt(index));
  };
  text(0, 'RIFF');
  view.setUint32(4, WAV_HEADER_BYTES - 8 + dataBytes, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true); // PCM
  view.setUint16(22, channels, true);
  view.setUint32(24, SAMPLE_RATE_HZ, true);
  view.setUint32(28, SAMPLE_RATE_HZ * frameBytes, true);
  view.setUint16(32, frameBytes, true);
  view.setUint16(34, 16, true);
  text(36, 'data');
  view.setUint32(40, dataBytes, true);
  return new Uint8Array(view.buffer);
}

/** The samples as bytes, lowest byte first; a copy, whatever the machine's own order is. */
export function littleEndian(samples: Int16Array): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(samples.length * 2));
  for (let index = 0; index < samples.length; index += 1) view.setInt16(index * 2, samples[index] ?? 0, true);
  return new Uint8Array(view.buffer);
}
