/** What counts as no sound at all. */
const SILENCE_DB = -96;

/** How loud samples are: the root of their mean square in decibels below full scale; −96 for silence. */
export function levelDb(samples: Int16Array): number {
  let energy = 0;
  for (let at = 0; at < samples.length; at += 1) {
    const sample = samples[at] ?? 0;
    energy += sample * sample;
  }
  if (energy === 0 || samples.length === 0) return SILENCE_DB;
  return Math.max(SILENCE_DB, 10 * Math.log10(energy / samples.length / (32_768 * 32_768)));
}
