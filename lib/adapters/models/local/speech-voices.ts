import { applyGain } from '#lib/media/gain.ts';
import { createLoudnessMeter, TARGET_LUFS } from '#lib/media/loudness.ts';

/**
 * The names are Flite's own; `awb_time` is left out, it can say nothing but the time. `lufs` is how loud the voice
 * speaks by itself, measured over eight sentences (docs/decisions/0168).
 */
export const LOCAL_VOICES = [
  { id: 'slt', label: 'Sally (US English, female)', language: 'en-US', lufs: -16.3 },
  { id: 'rms', label: 'Robert (US English, male)', language: 'en-US', lufs: -21.7 },
  { id: 'awb', label: 'Alan (Scottish English, male)', language: 'en-GB', lufs: -21 },
  { id: 'kal16', label: 'Kevin (US English, synthetic)', language: 'en-US', lufs: -28.8 },
  { id: 'kal', label: 'Kevin (US English, telephone quality)', language: 'en-US', lufs: -21.1 },
] as const;

/** A text may be so much louder or softer than its voice is; what is further away was measured on too little. */
const TEXT_RANGE_LU = 2.5;

/** Brings one text, spoken by a voice, to the loudness of all voices. */
export function levelVoice(voiceId: string, samples: Int16Array): Int16Array<ArrayBuffer> {
  const usual = LOCAL_VOICES.find((voice) => voice.id === voiceId)?.lufs ?? TARGET_LUFS;
  const meter = createLoudnessMeter();
  meter.add(samples);
  const measured = meter.integrated() ?? usual;
  const lufs = Math.max(usual - TEXT_RANGE_LU, Math.min(usual + TEXT_RANGE_LU, measured));
  return applyGain(samples, TARGET_LUFS - lufs);
}
