import { SAMPLE_RATE_HZ } from '#lib/ports/media.ts';

/** Every voice of an agent is brought to this: loud enough on a telephone, with room for its peaks. */
export const TARGET_LUFS = -18;

/** Integrated loudness as ITU-R BS.1770-5 (EBU R 128) has it, of one channel at 16 kHz. */
export type LoudnessMeter = {
  add(samples: Int16Array): void;
  /**
   * LUFS of all that was added, pauses gated out; undefined while that is silence. Less than 400 ms are judged without
   * the gates.
   */
  integrated(): number | undefined;
};

/** Loudness is measured in blocks of 400 ms, of which one begins every 100 ms. */
const STEP_SAMPLES = SAMPLE_RATE_HZ / 10;
const STEPS_PER_BLOCK = 4;
const ABSOLUTE_GATE_LUFS = -70;
const RELATIVE_GATE_LU = -10;

export function createLoudnessMeter(): LoudnessMeter {
  const weigh = createKWeighting();
  /** Mean square of each 100 ms. */
  const steps: number[] = [];
  let sum = 0;
  let count = 0;

  function blocks(): number[] {
    return steps
      .slice(STEPS_PER_BLOCK - 1)
      .map((_, index) => mean(steps.slice(index, index + STEPS_PER_BLOCK)));
  }

  return {
    add(samples) {
      for (const sample of samples) {
        sum += weigh(sample / 32_768) ** 2;
        count += 1;
        if (count < STEP_SAMPLES) continue;
        steps.push(sum / count);
        sum = 0;
        count = 0;
      }
    },
    integrated() {
      if (steps.length < STEPS_PER_BLOCK) {
        const shown = mean(count > STEP_SAMPLES / 4 ? [...steps, sum / count] : steps);
        return shown > toPower(ABSOLUTE_GATE_LUFS) ? toLufs(shown) : undefined;
      }
      const audible = blocks().filter((power) => power > toPower(ABSOLUTE_GATE_LUFS));
      if (audible.length === 0) return undefined;
      const gate = toPower(toLufs(mean(audible)) + RELATIVE_GATE_LU);
      return toLufs(mean(audible.filter((power) => power > gate)));
    },
  };
}

const mean = (values: number[]) =>
  values.length === 0 ? 0 : values.reduce((total, value) => total + value, 0) / values.length;
const toLufs = (power: number) => -0.691 + 10 * Math.log10(power);
const toPower = (lufs: number) => 10 ** ((lufs + 0.691) / 10);

type Biquad = { b0: number; b1: number; b2: number; a1: number; a2: number };

/**
 * The two filters of BS.1770 (a shelf for the head, a high-pass), whose coefficients the standard gives for 48 kHz: the
 * same curves at 16 kHz, by the bilinear transform of their analogue forms.
 */
function createKWeighting(): (sample: number) => number {
  const shelf = createBiquad(
    highShelf({
      frequencyHz: 1_681.974_450_955_533,
      gainDb: 3.999_843_853_973_347,
      q: 0.707_175_236_955_419_6,
    }),
  );
  const highPass = createBiquad(
    highPassOf({ frequencyHz: 38.135_470_876_024_44, q: 0.500_327_037_323_877_3 }),
  );
  return (sample) => highPass(shelf(sample));
}

function highShelf({ frequencyHz, gainDb, q }: { frequencyHz: number; gainDb: number; q: number }): Biquad {
  const k = Math.tan((Math.PI * frequencyHz) / SAMPLE_RATE_HZ);
  const high = 10 ** (gainDb / 20);
  const band = high ** 0.499_666_774_154_541_6;
  const a0 = 1 + k / q + k * k;
  return {
    b0: (high + (band * k) / q + k * k) / a0,
    b1: (2 * (k * k - high)) / a0,
    b2: (high - (band * k) / q + k * k) / a0,
    a1: (2 * (k * k - 1)) / a0,
    a2: (1 - k / q + k * k) / a0,
  };
}

function highPassOf({ frequencyHz, q }: { frequencyHz: number; q: number }): Biquad {
  const k = Math.tan((Math.PI * frequencyHz) / SAMPLE_RATE_HZ);
  const a0 = 1 + k / q + k * k;
  return { b0: 1, b1: -2, b2: 1, a1: (2 * (k * k - 1)) / a0, a2: (1 - k / q + k * k) / a0 };
}

function createBiquad({ b0, b1, b2, a1, a2 }: Biquad): (input: number) => number {
  let first = 0;
  let second = 0;
  return (input) => {
    const output = b0 * input + first;
    first = b1 * input - a1 * output + second;
    second = b2 * input - a2 * output;
    return output;
  };
}
