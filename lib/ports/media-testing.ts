import { createMediaOutput, SILENT_FRAME } from '#lib/media/media-output.ts';
import { createPacer } from '#lib/media/pacer.ts';
import type { TestCallClock } from './call-clock-testing.ts';
import { FRAME_MS, FRAME_SAMPLES, type MediaStream, SAMPLES_PER_MS } from './media.ts';

/** The person's end of a `MediaStream` that is only memory. */
export type FakeFarEnd = {
  /** Speaks from now on, or after what it says already; it is silent otherwise. */
  say(samples: Int16Array): void;
  /** Stops speaking. */
  hush(): void;
  /** All that was heard of the agent since the beginning, silence included: sample n sounded at `n / 16` ms. */
  heard(): Int16Array;
  /** Lets the far end hear itself: part of what it is sent comes back, so many times weaker and later. */
  echo(options: { gain: number; delayMs: number }): void;
  hangUp(): void;
};

/**
 * Sound in memory on a test's clock: frames come in each 20 ms from the beginning, and go out as a real carrier sends
 * them.
 */
export function createFakeMedia(clock: TestCallClock): { media: MediaStream; farEnd: FakeFarEnd } {
  const pacer = createPacer({
    clock,
    onFailed: (error) => {
      throw error;
    },
  });
  let listener: ((frame: Int16Array, atMs: number) => void) | undefined;
  const speech = createFakeMicrophone();
  const heard: { atMs: number; frame: Int16Array }[] = [];
  let echo = { gain: 0, delayMs: 0 };

  const output = createMediaOutput({
    pacer,
    clock,
    send(frame) {
      if (frame !== SILENT_FRAME) heard.push({ atMs: clock.nowMs(), frame });
    },
  });
  const stopListening = pacer.start((dueMs) => {
    const startedAtMs = dueMs - FRAME_MS;
    const frame = speech.nextFrame();
    if (echo.gain > 0) mix(frame, render(heard, startedAtMs - echo.delayMs, FRAME_SAMPLES), echo.gain);
    listener?.(frame, startedAtMs);
    // It was lent: whoever keeps it keeps this.
    frame.fill(12_345);
  });

  return {
    media: {
      onFrame(next) {
        listener = next;
      },
      write: output.write,
      clear: output.clear,
      mark: output.mark,
      playedMs: output.playedMs,
    },
    farEnd: {
      say: speech.add,
      hush: speech.clear,
      heard: () => render(heard, 0, Math.round(clock.nowMs() * SAMPLES_PER_MS)),
      echo(options) {
        echo = options;
      },
      hangUp() {
        output.end();
        stopListening();
      },
    },
  };
}

function createFakeMicrophone() {
  let waiting: Int16Array[] = [];
  return {
    add(samples: Int16Array) {
      for (let start = 0; start < samples.length; start += FRAME_SAMPLES)
        waiting.push(samples.subarray(start, start + FRAME_SAMPLES));
    },
    clear() {
      waiting = [];
    },
    nextFrame(): Int16Array {
      const frame = new Int16Array(FRAME_SAMPLES);
      frame.set(waiting.shift() ?? []);
      return frame;
    },
  };
}

/** The samples between two moments of what was heard. */
function render(heard: { atMs: number; frame: Int16Array }[], fromMs: number, count: number): Int16Array {
  const samples = new Int16Array(count);
  for (const { atMs, frame } of heard) {
    const offset = Math.round((atMs - fromMs) * SAMPLES_PER_MS);
    if (offset >= count || offset + frame.length <= 0) continue;
    const skipped = Math.max(0, -offset);
    samples.set(frame.subarray(skipped, Math.min(frame.length, count - offset)), offset + skipped);
  }
  return samples;
}

function mix(target: Int16Array, added: Int16Array, gain: number): void {
  for (let index = 0; index < target.length; index += 1) {
    const sum = (target[index] ?? 0) + (added[index] ?? 0) * gain;
    target[index] = Math.max(-32_768, Math.min(32_767, Math.round(sum)));
  }
}
