import { FRAME_MS, FRAME_SAMPLES, type MediaStream } from '#lib/ports/media.ts';
import { crossFade, FADE_SAMPLES } from './fade.ts';
import type { Pacer } from './pacer.ts';
import { SILENT_FRAME } from './media-output.ts';

/** So much is gathered before the first frame is given, and again after a gap: networks deliver unevenly. */
const CUSHION_FRAMES = 2;
/**
 * So long before a frame is given its first sample came in: the cushion, and half a frame, since frames come at any
 * moment between two that are given.
 */
const HELD_BACK_MS = (CUSHION_FRAMES + 0.5) * FRAME_MS;
/** More than this waiting is a delay that would stay for the rest of the call: the oldest is dropped. */
const MOST_WAITING_FRAMES = 10;

export type MediaInput = Pick<MediaStream, 'onFrame'> & {
  /** Adds audio that came in, in order, any number of samples. */
  push(samples: Int16Array): void;
  end(): void;
};

/**
 * The incoming half of a `MediaStream` for a far end that sends audio in order but at no even pace (a WebSocket): gives a
 * frame every 20 ms, silence where nothing came in time.
 */
export function createMediaInput({ pacer }: { pacer: Pacer }): MediaInput {
  const waiting: Int16Array[] = [];
  /** Frames that were given, to be filled again. */
  const spare: Int16Array[] = [];
  const nextFrame = () => spare.pop() ?? new Int16Array(FRAME_SAMPLES);
  let partial = nextFrame();
  let filled = 0;
  let isGathering = true;
  let listener: ((frame: Int16Array, atMs: number) => void) | undefined;

  const stop = pacer.start((dueMs) => {
    if (isGathering && waiting.length >= CUSHION_FRAMES) isGathering = false;
    const frame = isGathering ? undefined : waiting.shift();
    if (!frame) isGathering = true;
    listener?.(frame ?? SILENT_FRAME, dueMs - HELD_BACK_MS);
    if (frame) spare.push(frame);
  }, 'listens');

  function add(frame: Int16Array): void {
    waiting.push(frame);
    if (waiting.length <= MOST_WAITING_FRAMES) return;
    const leftOut = waiting.splice(0, waiting.length - CUSHION_FRAMES);
    const [following] = leftOut;
    const [next] = waiting;
    // What was given last goes on into what is left out, and over into what follows.
    if (following && next) crossFade(next, following.subarray(0, FADE_SAMPLES));
    spare.push(...leftOut);
  }

  return {
    onFrame(given) {
      listener = given;
    },
    push(samples) {
      for (let offset = 0; offset < samples.length;) {
        const piece = samples.subarray(offset, offset + FRAME_SAMPLES - filled);
        partial.set(piece, filled);
        filled += piece.length;
        offset += piece.length;
        if (filled < FRAME_SAMPLES) continue;
        add(partial);
        partial = nextFrame();
        filled = 0;
      }
    },
    end() {
      stop();
      waiting.length = 0;
    },
  };
}
