import { decodeG711, encodeG711 } from './g711.ts';
import { levelDb } from './level.ts';
import { resample } from './resample.ts';
import { joinSamples } from './samples.ts';

/** Sounds for tests and benches: mono, 16 kHz, made from a seed, so that they are the same each time. */
const RATE_HZ = 16_000;

/** Numbers from 0 to 1 that look random (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function silence(ms: number): Int16Array {
  return new Int16Array((ms * RATE_HZ) / 1_000);
}

/** The largest change from one sample to the next: a click is one that the sound around it has not. */
export function largestStep(samples: Int16Array): number {
  let largest = 0;
  for (let at = 1; at < samples.length; at += 1)
    largest = Math.max(largest, Math.abs((samples[at] ?? 0) - (samples[at - 1] ?? 0)));
  return largest;
}

export function joined(...parts: Int16Array[]): Int16Array {
  return joinSamples(parts);
}

/** The sounds together, as long as the longest. */
export function mixed(...parts: Int16Array[]): Int16Array {
  const out = new Int16Array(Math.max(...parts.map((part) => part.length)));
  for (const part of parts)
    for (const [index, sample] of part.entries()) out[index] = clipped((out[index] ?? 0) + sample);
  return out;
}

/** The same sound at another level: its loud parts (pauses do not count) at `db` below full scale. */
export function atLevel(samples: Int16Array, db: number): Int16Array {
  const gain = 10 ** ((db - loudPartDb(samples)) / 20);
  return samples.map((sample) => clipped(sample * gain));
}

/** The level of the stretches that are within 20 dB of the loudest: near what a loudness meter's gate leaves over. */
function loudPartDb(samples: Int16Array): number {
  const levels: number[] = [];
  for (let at = 0; at < samples.length; at += 320) levels.push(levelDb(samples.subarray(at, at + 320)));
  const gate = Math.max(...levels) - 20;
  const loud = levels.filter((level) => level > gate);
  return 10 * Math.log10(loud.reduce((sum, level) => sum + 10 ** (level / 10), 0) / loud.length);
}

/** Noise whose power falls by 3 dB per octave, as in rooms and streets; `colour` 0 is white. */
export function noise(
  ms: number,
  { db, seed = 1, colour = 0.9 }: { db: number; seed?: number; colour?: number },
) {
  const random = seededRandom(seed);
  let slow = 0;
  const raw = silence(ms).map(() => {
    const white = random() * 2 - 1;
    slow = colour * slow + (1 - colour) * white;
    return (slow * 0.8 + white * 0.05 + (colour === 0 ? white : 0)) * 8_000;
  });
  return atLevel(raw, db);
}

export function tone(ms: number, { hz, db }: { hz: number; db: number }): Int16Array {
  return atLevel(
    silence(ms).map((_, index) => Math.sin((2 * Math.PI * hz * index) / RATE_HZ) * 10_000),
    db,
  );
}

/** Chords of a few harmonics over a beat, as while somebody is on hold. */
export function music(ms: number, { db, seed = 1 }: { db: number; seed?: number }): Int16Array {
  const random = seededRandom(seed);
  const chords = [
    [262, 330, 392],
    [220, 262, 330],
    [175, 220, 262],
    [196, 247, 294],
  ];
  const beat = silence(ms).map((_, index) => {
    const seconds = index / RATE_HZ;
    const chord = chords[Math.floor(seconds / 1) % chords.length] ?? [];
    const sinceNote = seconds % 0.25;
    const melody = (chord[Math.floor(seconds * 4) % 3] ?? 262) * 2;
    let value = (random() * 2 - 1) * Math.exp(-(seconds % 0.5) * 60) * 0.6;
    for (const hz of [...chord, melody])
      for (const harmonic of [1, 2, 3, 4])
        value +=
          (Math.sin(2 * Math.PI * hz * harmonic * seconds) / harmonic ** 1.4) * Math.exp(-sinceNote * 4);
    return value * 2_000;
  });
  return atLevel(beat, db);
}

/** A cough: a burst of noise that begins hard and falls off, without a voice. */
export function cough({ db, seed = 1 }: { db: number; seed?: number }): Int16Array {
  const burst = noise(280, { db: -20, seed, colour: 0.6 });
  const shaped = burst.map((sample, index) => sample * Math.exp(-index / 1_400) * Math.min(1, index / 80));
  return atLevel(shaped, db);
}

/** Clicks of a keyboard, a few in a second. */
export function clicks(ms: number, { db, seed = 1 }: { db: number; seed?: number }): Int16Array {
  const random = seededRandom(seed);
  let left = 0;
  const raw = silence(ms).map(() => {
    if (left === 0 && random() < 5 / RATE_HZ) left = 160;
    if (left === 0) return 0;
    left -= 1;
    return (random() * 2 - 1) * 20_000 * (left / 160) ** 3;
  });
  return atLevel(raw, db);
}

/** As it comes out of the telephone network: 8 kHz, µ-law, without what is below 300 Hz. */
export function overTelephone(samples: Int16Array): Int16Array {
  const narrow = resample(samples, { fromHz: 16_000, toHz: 8_000 });
  let [lastIn, lastOut] = [0, 0];
  const highPassed = narrow.map((sample) => {
    lastOut = 0.81 * (lastOut + sample - lastIn);
    lastIn = sample;
    return lastOut;
  });
  const coded = decodeG711('mulaw', encodeG711('mulaw', highPassed));
  return resample(coded, { fromHz: 8_000, toHz: 16_000 });
}

function clipped(value: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(value)));
}
