import { SAMPLES_PER_MS } from '#lib/ports/media.ts';
import type { SpeechSynthesizer } from '#lib/ports/speech.ts';

/** About what the local voices take. */
const MS_PER_CHARACTER = 62;
/** Shared by all texts: nobody hears or changes it. A text is longer than this only where no person would say it. */
const SILENCE = new Int16Array(120_000 * SAMPLES_PER_MS);

/** Speech that takes its time and has no sound, for calls to which nobody listens. */
export function createUnheardSpeech(voices: SpeechSynthesizer['voices']): SpeechSynthesizer {
  return {
    voices,
    async *synthesize({ text }) {
      const samples = Math.min(SILENCE.length, text.length * MS_PER_CHARACTER * SAMPLES_PER_MS);
      yield { samples: SILENCE.subarray(0, samples) };
    },
  };
}
