import { SAMPLE_RATE_HZ } from '#lib/ports/media.ts';
import { rampGain } from './gain.ts';
import { createLoudnessMeter, TARGET_LUFS } from './loudness.ts';

/** Brings what voices say to one loudness, learning each voice while it speaks. */
export type VoiceLevels = {
  /** Begins one text of a voice. */
  begin(voiceId: string): VoiceLevel;
};

export type VoiceLevel = {
  /** The next samples of the text, louder or softer. */
  process(samples: Int16Array): Int16Array;
  /** The text is over, and what was measured counts for the voice's next ones. */
  end(): void;
};

/** What is assumed of a voice that nobody has heard, and how many seconds of speech that assumption is worth. */
const USUAL = { lufs: -20, seconds: 0.1 };
/** So much speech is measured of a voice; then its gain stays. */
const LEARNT_SECONDS = 30;
const MOST_GAIN_DB = 20;
const RAMP_SAMPLES = SAMPLE_RATE_HZ / 20;

export function createVoiceLevels(): VoiceLevels {
  const voices = new Map<string, { lufs: number; seconds: number }>();

  function begin(voiceId: string): VoiceLevel {
    const known = voices.get(voiceId) ?? USUAL;
    const gainFor = (lufs: number) => Math.max(-MOST_GAIN_DB, Math.min(MOST_GAIN_DB, TARGET_LUFS - lufs));
    let gainDb = gainFor(known.lufs);
    if (known.seconds >= LEARNT_SECONDS) {
      return { process: (samples) => rampGain(samples, constant(gainDb)), end: () => undefined };
    }
    const meter = createLoudnessMeter();
    let seconds = 0;
    const together = () => {
      const measured = meter.integrated() ?? known.lufs;
      return {
        lufs: (known.lufs * known.seconds + measured * seconds) / (known.seconds + seconds),
        seconds: known.seconds + seconds,
      };
    };
    return {
      process(samples) {
        meter.add(samples);
        // Silence in front of the first word tells nothing about the voice.
        if (meter.integrated() !== undefined) seconds += samples.length / SAMPLE_RATE_HZ;
        const fromDb = gainDb;
        gainDb = gainFor(together().lufs);
        return rampGain(samples, {
          fromDb,
          toDb: gainDb,
          rampSamples: Math.min(RAMP_SAMPLES, samples.length),
        });
      },
      end() {
        if (seconds === 0) return;
        const measured = { lufs: meter.integrated() ?? known.lufs, seconds };
        voices.set(voiceId, known === USUAL ? measured : together());
      },
    };
  }

  return { begin };
}

const constant = (gainDb: number) => ({ fromDb: gainDb, toDb: gainDb, rampSamples: 0 });
