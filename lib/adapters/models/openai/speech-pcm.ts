import { createResampler, type Resampler } from '#lib/media/resample.ts';
import { SAMPLE_RATE_HZ } from '#lib/ports/media.ts';
import { BrokenAnswer } from './failure.ts';

/** What `response_format: "pcm"` stands for: mono, signed 16 bit, little endian, without a header. */
const PCM_RATE_HZ = 24_000;
/** Enough for the header of a WAV file, and for telling other formats. */
const HEAD_BYTES = 64;

export type PcmReader = {
  /** The samples of the next bytes at 16 kHz; may be none. Throws a `BrokenAnswer` for what is not PCM. */
  read(bytes: Uint8Array): Int16Array;
  /** What is left once the last bytes were read. */
  end(): Int16Array;
};

/**
 * Reads a stream of PCM, cut anywhere. Some servers send a WAV file whatever was asked for: its header tells the rate.
 */
export function createPcmReader(): PcmReader {
  let head = new Uint8Array(0);
  let odd = new Uint8Array(0);
  let resampler: Resampler | undefined;
  /** What the low-pass holds back at the end. */
  let heldBack = 0;

  function samplesOf(bytes: Uint8Array): Int16Array {
    const both = join(odd, bytes);
    const count = both.length >> 1;
    odd = both.slice(count * 2);
    const view = new DataView(both.buffer, both.byteOffset, both.byteLength);
    return Int16Array.from({ length: count }, (_, index) => view.getInt16(index * 2, true));
  }

  function begin(all: Uint8Array): Int16Array {
    const format = readHead(all);
    resampler = createResampler({ fromHz: format.rateHz, toHz: SAMPLE_RATE_HZ });
    heldBack = Math.ceil((resampler.delayMs / 1_000) * format.rateHz);
    return resampler.process(samplesOf(all.subarray(format.dataAt)));
  }

  return {
    read(bytes) {
      if (resampler) return resampler.process(samplesOf(bytes));
      head = join(head, bytes);
      return head.length < HEAD_BYTES ? new Int16Array(0) : begin(head);
    },
    end() {
      if (!resampler && head.length === 0) return new Int16Array(0);
      const first = resampler ? new Int16Array(0) : begin(head);
      const last = resampler?.process(new Int16Array(heldBack)) ?? new Int16Array(0);
      const all = new Int16Array(first.length + last.length);
      all.set(first);
      all.set(last, first.length);
      return all;
    },
  };
}

type Format = { rateHz: number; dataAt: number };

function readHead(bytes: Uint8Array): Format {
  const text = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  if (text(0, 4) !== 'RIFF') {
    const isCompressed =
      ['ID3', 'Ogg', 'fLa'].includes(text(0, 3)) || (bytes[0] === 0xff && bytes[1] === 0xfb);
    if (isCompressed || /^\s*[{<]/.test(text(0, 8)))
      throw new BrokenAnswer('unreadable', 'the server sent something else than PCM');
    return { rateHz: PCM_RATE_HZ, dataAt: 0 };
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // A server that streams puts the format first and the samples right behind it.
  const dataAt = text(0, HEAD_BYTES).indexOf('data');
  if (bytes.length < 44 || dataAt === -1)
    throw new BrokenAnswer('unreadable', 'the server sent a WAV file without samples');
  if (view.getUint16(20, true) !== 1 || view.getUint16(22, true) !== 1 || view.getUint16(34, true) !== 16)
    throw new BrokenAnswer('unreadable', 'the server sent a WAV file that is not mono with 16 bits');
  return { rateHz: view.getUint32(24, true), dataAt: dataAt + 8 };
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
