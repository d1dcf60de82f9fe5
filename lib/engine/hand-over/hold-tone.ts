import type { CallClock } from '#lib/ports/clock.ts';
import type { SoundLine } from '#lib/ports/carrier.ts';
import { SAMPLES_PER_MS } from '#lib/ports/media.ts';

const NOTE_MS = 350;
const EVERY_MS = 4_000;
const NOTES_HZ = [523.25, 659.25];

/** Two soft notes every four seconds, so that whoever waits knows that the line is not dead. */
export function playHoldTone(line: SoundLine, clock: CallClock): { stop(): void } {
  const stopping = new AbortController();
  const tone = holdTone();
  const play = async () => {
    for (;;) {
      line.write(tone);
      await clock.sleep(EVERY_MS, stopping.signal);
    }
  };
  play().catch(() => undefined);
  return {
    stop() {
      if (stopping.signal.aborted) return;
      stopping.abort();
      line.clear();
    },
  };
}

/** Each note swells and fades away. */
function holdTone(): Int16Array {
  const count = NOTE_MS * SAMPLES_PER_MS;
  const samples = new Int16Array(count * NOTES_HZ.length);
  for (const [note, hz] of NOTES_HZ.entries())
    for (let index = 0; index < count; index += 1) {
      const shape = Math.sin((Math.PI * index) / count) ** 2;
      const turn = (2 * Math.PI * hz * index) / (SAMPLES_PER_MS * 1_000);
      samples[note * count + index] = Math.round(2_500 * shape * Math.sin(turn));
    }
  return samples;
}
