import { SAMPLE_RATE_HZ, SAMPLES_PER_MS } from '#lib/ports/media.ts';
import { createSpectrum } from './voice-activity/spectrum.ts';

const SIZE = 512;
const WINDOW_MS = SIZE / SAMPLES_PER_MS;
const LOWEST_HZ = 400;
const HIGHEST_HZ = 2_000;
/** How much of a window's power one tone has; voices and music stay below 0.8 for any length of time. */
const PURE = 0.9;
const SHORTEST_MS = 150;
/** What sounds longer is a line's own tone, a fax or a test. */
const LONGEST_MS = 3_000;

export type ToneDetector = {
  /** Takes a window of 512 samples (32 ms) of which the first came at `atMs`; one that cannot be a tone is not looked at. */
  push(window: Int16Array, atMs: number, mayBeTone: boolean): void;
};

/** One for all streams: a window is looked at in one go. */
const spectrum = createSpectrum(SIZE);
const samples = new Float32Array(SIZE);
const magnitudes = new Float32Array(SIZE / 2 + 1);

/** Finds a single tone between 400 and 2,000 Hz, as of an answering machine, and tells when it has ended. */
export function createToneDetector(onEnd: (tone: { atMs: number; hz: number }) => void): ToneDetector {
  let startedAtMs = 0;
  let lastedMs = 0;
  let bin = 0;

  function end(): void {
    const atMs = startedAtMs + lastedMs;
    if (lastedMs >= SHORTEST_MS && lastedMs <= LONGEST_MS) onEnd({ atMs, hz: hzOf(bin) });
    lastedMs = 0;
  }

  return {
    push(window, atMs, mayBeTone) {
      const found = mayBeTone ? toneOf(window) : undefined;
      if (lastedMs > 0 && (found === undefined || Math.abs(found - bin) > 1)) end();
      if (found === undefined) return;
      if (lastedMs === 0) startedAtMs = atMs;
      bin = found;
      lastedMs += WINDOW_MS;
    },
  };
}

function toneOf(window: Int16Array): number | undefined {
  for (let index = 0; index < SIZE; index += 1) samples[index] = (window[index] ?? 0) / 32_768;
  spectrum(samples, [0, 0], magnitudes, [0, 0]);
  return pureTone(magnitudes);
}

/** The bin that holds nearly all of the power, where there is one in the range. */
function pureTone(magnitudes: Float32Array): number | undefined {
  let loudest = 0;
  let power = 0;
  for (const [bin, magnitude] of magnitudes.entries()) {
    power += magnitude * magnitude;
    if (magnitude > (magnitudes[loudest] ?? 0)) loudest = bin;
  }
  const hz = hzOf(loudest);
  if (hz < LOWEST_HZ || hz > HIGHEST_HZ) return undefined;
  let near = 0;
  // The window's shape spreads a tone over its neighbours.
  for (let bin = loudest - 2; bin <= loudest + 2; bin += 1) near += (magnitudes[bin] ?? 0) ** 2;
  return near >= power * PURE ? loudest : undefined;
}

function hzOf(bin: number): number {
  return (bin * SAMPLE_RATE_HZ) / SIZE;
}
