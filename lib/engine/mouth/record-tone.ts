import { SAMPLE_RATE_HZ } from '#lib/ports/media.ts';

const HZ = 1_000;
const LASTS_MS = 350;
const AMPLITUDE = 6_000;
/** Between the last word and the tone. */
const PAUSE_MS = 300;
/** Without it a tone begins and ends with a click. */
const FADE_MS = 8;

/** The tone after which a message is recorded, and the silence before it. */
export function makeRecordTone(): Int16Array {
  const perMs = SAMPLE_RATE_HZ / 1_000;
  const length = LASTS_MS * perMs;
  const sound = new Int16Array(PAUSE_MS * perMs + length);
  for (let at = 0; at < length; at += 1) {
    const fade = Math.min(1, at / (FADE_MS * perMs), (length - at) / (FADE_MS * perMs));
    const sample = Math.round(AMPLITUDE * fade * Math.sin((2 * Math.PI * HZ * at) / SAMPLE_RATE_HZ));
    sound[PAUSE_MS * perMs + at] = sample;
  }
  return sound;
}
