/** Magnitudes of two windowed stretches of sound at once. */
export type Spectrum = {
  /**
   * `size` samples from each of two places of `samples`; `size / 2 + 1` magnitudes each are written to two places of
   * `magnitudes`. Bin k stands for k / size of the sampling rate.
   */
  (
    samples: Float32Array,
    from: readonly [number, number],
    magnitudes: Float32Array,
    to: readonly [number, number],
  ): void;
};

/**
 * A Hann window and a Fourier transform (`size` is a power of two). Two real stretches go through one complex
 * transform, as its real and its imaginary part: half the work.
 */
export function createSpectrum(size: number): Spectrum {
  const hann = Float64Array.from({ length: size }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / size));
  const cosine = Float64Array.from({ length: size / 2 }, (_, k) => Math.cos((2 * Math.PI * k) / size));
  const sine = Float64Array.from({ length: size / 2 }, (_, k) => -Math.sin((2 * Math.PI * k) / size));
  const bits = Math.log2(size);
  const reversed = Uint32Array.from({ length: size }, (_, n) => reverseBits(n, bits));
  const real = new Float64Array(size);
  const imaginary = new Float64Array(size);

  return (samples, [one, other], magnitudes, [toOne, toOther]) => {
    for (let n = 0; n < size; n += 1) {
      const place = reversed[n] ?? 0;
      const weight = hann[n] ?? 0;
      real[place] = (samples[one + n] ?? 0) * weight;
      imaginary[place] = (samples[other + n] ?? 0) * weight;
    }
    for (let length = 2; length <= size; length *= 2) join(length);
    for (let bin = 0; bin <= size / 2; bin += 1) {
      const mirror = (size - bin) % size;
      const x = real[bin] ?? 0;
      const y = imaginary[bin] ?? 0;
      const mirrorX = real[mirror] ?? 0;
      const mirrorY = imaginary[mirror] ?? 0;
      // What is even in the transform came from the real part, what is odd from the imaginary one.
      const sumX = x + mirrorX;
      const differenceY = y - mirrorY;
      const sumY = y + mirrorY;
      const differenceX = mirrorX - x;
      magnitudes[toOne + bin] = Math.sqrt(sumX * sumX + differenceY * differenceY) / 2;
      magnitudes[toOther + bin] = Math.sqrt(sumY * sumY + differenceX * differenceX) / 2;
    }
  };

  /** Joins neighbouring transforms of half of `length`. */
  function join(length: number): void {
    const half = length / 2;
    const step = size / length;
    for (let k = 0; k < half; k += 1) {
      const c = cosine[k * step] ?? 0;
      const s = sine[k * step] ?? 0;
      for (let even = k; even < size; even += length) {
        const odd = even + half;
        const x = real[odd] ?? 0;
        const y = imaginary[odd] ?? 0;
        const turnedX = x * c - y * s;
        const turnedY = x * s + y * c;
        const evenX = real[even] ?? 0;
        const evenY = imaginary[even] ?? 0;
        real[odd] = evenX - turnedX;
        imaginary[odd] = evenY - turnedY;
        real[even] = evenX + turnedX;
        imaginary[even] = evenY + turnedY;
      }
    }
  }
}

function reverseBits(value: number, bits: number): number {
  let reversed = 0;
  for (let bit = 0; bit < bits; bit += 1) reversed = (reversed << 1) | ((value >> bit) & 1);
  return reversed;
}
