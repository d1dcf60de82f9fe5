import type { CallClock } from '#lib/ports/clock.ts';
import { SAMPLES_PER_MS } from '#lib/ports/media.ts';

/** Both sides of a call for somebody who listens in: 16 kHz, 16 bit, left the agent, right the human, interleaved. */
export type LiveSound = { fromMs: number; samples: Int16Array };

/** So much is given at a time. */
const BLOCK_MS = 100;
/** How late a sample may come, after the moment at which it is heard: a simulated person speaks in pieces as long as a block. */
const LATE_MS = 240;
/** What lies further in the future is not live; what is kept has to have an end. */
const KEPT_MS = 4_000;

const BLOCK_SAMPLES = BLOCK_MS * SAMPLES_PER_MS;
const KEPT_SAMPLES = KEPT_MS * SAMPLES_PER_MS;
const CHANNELS = 2;
const CHANNEL = { agent: 0, human: 1 };

/**
 * Puts the two sides of a call together as time passes, silence where nobody speaks, and gives a block ten times a
 * second. `stop` ends it.
 */
export function createLiveMix(clock: CallClock, onSound: (sound: LiveSound) => void) {
  const kept = new Int16Array(KEPT_SAMPLES * CHANNELS);
  const stopped = new AbortController();
  let next = Math.floor(clock.nowMs() / BLOCK_MS) * BLOCK_SAMPLES;

  function give(): void {
    const samples = new Int16Array(BLOCK_SAMPLES * CHANNELS);
    const start = (next % KEPT_SAMPLES) * CHANNELS;
    samples.set(kept.subarray(start, start + samples.length));
    kept.fill(0, start, start + samples.length);
    const fromMs = next / SAMPLES_PER_MS;
    next += BLOCK_SAMPLES;
    onSound({ fromMs, samples });
  }

  async function run(): Promise<void> {
    for (;;) {
      const dueMs = (next + BLOCK_SAMPLES) / SAMPLES_PER_MS + LATE_MS;
      await clock.sleep(dueMs - clock.nowMs(), stopped.signal);
      give();
    }
  }
  run().catch(() => undefined);

  return {
    write(side: 'agent' | 'human', samples: Int16Array, atMs: number): void {
      const first = Math.round(atMs * SAMPLES_PER_MS);
      for (const [index, sample] of samples.entries()) {
        const at = first + index;
        if (at < next || at >= next + KEPT_SAMPLES) continue;
        kept[(at % KEPT_SAMPLES) * CHANNELS + CHANNEL[side]] = sample;
      }
    },
    stop: () => stopped.abort(new Error('nobody listens')),
  };
}
