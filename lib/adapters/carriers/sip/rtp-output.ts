import { createChunkedQueue, createChunkPool } from '#lib/media/chunked-queue.ts';
import { FADE_SAMPLES, fadeOut } from '#lib/media/fade.ts';
import { SILENT_FRAME } from '#lib/media/media-output.ts';
import { beginsWithFade, createSentCount } from '#lib/media/sent-count.ts';
import { FRAME_SAMPLES } from '#lib/ports/media.ts';

/** Of one frame, which is sent before the next one is made: shared by all calls of a thread. */
const frame = new Int16Array(FRAME_SAMPLES);
const chunks = createChunkPool();

/**
 * What the agent says on one call, in the thread that sends it. `memory` is the call's count of sent samples, which the other
 * thread has too (lib/media/sent-count.ts).
 */
export function createRtpOutput(memory: SharedArrayBuffer) {
  const queue = createChunkedQueue(chunks);
  const count = createSentCount(memory);
  let generation = 0;
  /** Samples that this generation begins with and that are known here before they are written. */
  let foreknown = 0;

  /**
   * What was written before the latest cut is not played. Its fade is made here as well: it is due in the next packet, and
   * its message may come after that one.
   */
  function followCut(): void {
    const latest = count.generation();
    if (latest === generation) return;
    generation = latest;
    const cut = new Int16Array(beginsWithFade(latest) ? Math.min(queue.size(), FADE_SAMPLES) : 0);
    queue.read(cut);
    queue.clear();
    queue.add(fadeOut(cut));
    foreknown = cut.length;
  }

  return {
    write(samples: Int16Array, writtenIn: number): void {
      followCut();
      if (writtenIn !== generation) return;
      const known = Math.min(foreknown, samples.length);
      foreknown -= known;
      queue.add(samples.subarray(known));
    },
    /** The next 20 ms, counted as sent. The same memory each time, or `SILENT_FRAME`. */
    next(): Int16Array {
      for (;;) {
        followCut();
        const samples = Math.min(queue.size(), FRAME_SAMPLES);
        if (samples === 0) return SILENT_FRAME;
        // It was cut in between.
        if (!count.add(samples, generation)) continue;
        queue.read(frame);
        return samples < FRAME_SAMPLES ? frame.fill(0, samples) : frame;
      }
    },
    sent: count.sent,
    clear: queue.clear,
  };
}
