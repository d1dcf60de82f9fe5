/** Below this nothing is speech: a whisper at −50 LUFS still has peaks above it. */
const INAUDIBLE_DB = -62;
/** How far above the noise something must be before the network is asked about it. */
const ABOVE_NOISE_DB = 3;
/** The noise is believed to grow by at most this much in a window of 32 ms: 1.6 dB in a second. */
const RISE_DB = 0.05;
/** A quieter moment is believed sooner. */
const FALL_PART = 0.3;
const LOUDEST_NOISE_DB = -30;

export type NoiseGate = {
  /** True where a window of this level may hold speech. */
  opens(levelDb: number): boolean;
};

/**
 * The cheap question before the dear one: is this louder than what is always there? Follows the quiet moments of a
 * line, so a steady noise costs as little as silence after a few seconds.
 */
export function createNoiseGate(): NoiseGate {
  let noiseDb = -60;
  return {
    opens(levelDb) {
      const isLoud = levelDb > Math.max(INAUDIBLE_DB, noiseDb + ABOVE_NOISE_DB);
      const change = levelDb < noiseDb ? (levelDb - noiseDb) * FALL_PART : RISE_DB;
      noiseDb = Math.max(-90, Math.min(LOUDEST_NOISE_DB, noiseDb + change, Math.max(levelDb, noiseDb)));
      return isLoud;
    },
  };
}
