import { FRAME_SAMPLES } from '#lib/ports/media.ts';

/** One second: memory of its own for each frame costs more than all that is done with a frame. */
const FRAMES_AT_A_TIME = 50;

/** Gives silent frames to be filled, each its taker's to keep; many lie in one piece of memory. */
export function createFrames(): () => Int16Array {
  let memory = new Int16Array(0);
  let next = 0;
  return () => {
    if (next === memory.length) {
      memory = new Int16Array(FRAMES_AT_A_TIME * FRAME_SAMPLES);
      next = 0;
    }
    next += FRAME_SAMPLES;
    return memory.subarray(next - FRAME_SAMPLES, next);
  };
}
