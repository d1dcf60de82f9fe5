/** What is read at a time: longer than the pause between two drawings, so that nothing that was heard is passed over. */
const WINDOW_SAMPLES = 8_192;
/** Loudness is that of the loudest piece of this length, 20 ms at 48 kHz: a short sound is as loud as a long one. */
const PIECE_SAMPLES = 1_024;
/** A bar that fell at once would be empty between two syllables. */
const FALL_PER_SECOND = 1.2;

/** Loudness of a source now, 0 to 1, falling slowly. To be asked at least five times a second. */
export function createLevel(source: AudioNode): () => number {
  const analyser = new AnalyserNode(source.context, { fftSize: WINDOW_SAMPLES });
  source.connect(analyser);
  const samples = new Float32Array(WINDOW_SAMPLES);
  const fall = createFall();
  return () => {
    analyser.getFloatTimeDomainData(samples);
    return fall(loudnessOf(samples), source.context.currentTime);
  };
}

/** The loudest piece: −60 dBFS is 0, full scale is 1, since ears hear loudness by its logarithm. */
export function loudnessOf(samples: Float32Array): number {
  let loudest = 0;
  for (let from = 0; from < samples.length; from += PIECE_SAMPLES) {
    const piece = samples.subarray(from, from + PIECE_SAMPLES);
    loudest = Math.max(loudest, piece.reduce((sum, sample) => sum + sample * sample, 0) / piece.length);
  }
  return Math.max(0, Math.min(1, 1 + (10 * Math.log10(loudest + 1e-12)) / 60));
}

/** Follows a level up at once, and down slowly. */
export function createFall(): (level: number, atSeconds: number) => number {
  let shown = 0;
  let shownAt = 0;
  return (level, atSeconds) => {
    shown = Math.max(level, shown - Math.max(0, atSeconds - shownAt) * FALL_PER_SECOND, 0);
    shownAt = atSeconds;
    return shown;
  };
}
