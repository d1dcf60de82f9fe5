/** The audio inside the service: mono, signed 16 bit, 16 kHz. Carriers resample at their edge. */
export const SAMPLE_RATE_HZ = 16_000;
export const SAMPLES_PER_MS = SAMPLE_RATE_HZ / 1_000;
/** Audio comes in and goes out in frames of this length. */
export const FRAME_MS = 20;
export const FRAME_SAMPLES = FRAME_MS * SAMPLES_PER_MS;

/**
 * The sound of a leg, both ways. Whoever implements it paces what goes out by absolute time, and fills what was lost
 * on the way in, so that counting frames is telling the time.
 */
export type MediaStream = {
  /** The far end is a telephone that speaks µ-law at 8 kHz (G.711): more than that is not heard. Left out: it is not. */
  readonly isTelephone?: boolean;
  /**
   * Gives every frame from the far end, in order, `FRAME_SAMPLES` each; `atMs` is the call time of its first sample.
   * One listener; the frame is lent: its memory is used again for the next one, and whoever keeps sound copies it (0332).
   * Frames that came before he did are lost.
   */
  onFrame(listener: (frame: Int16Array, atMs: number) => void): void;
  /**
   * Plays `samples` (any number) after what was written before. Silence goes out while there is nothing to play. They are
   * kept and not copied: nobody changes them afterwards.
   */
  write(samples: Int16Array): void;
  /**
   * Given where the far end keeps what it is sent, and tells now and then how far it has played. `isDeep`: so much waits
   * there that `clear` drops it there too, at a sample that nobody here knows: nothing can be joined to it.
   */
  readonly farEndBuffer?: { isDeep(): boolean };
  /**
   * Drops what was written and has not been played. Gives `playedMs` as it is when the frame under way is over. `fades`: the
   * first of what was dropped is written again at once, faded (`fadeOut`, `FADE_SAMPLES` of lib/media/fade.ts). Whoever
   * sends elsewhere may begin with it before it has come there.
   */
  clear(options?: { fades?: boolean }): number;
  /** Resolves when all that was written until now was played (true), or was dropped or the leg ended (false). */
  mark(): Promise<boolean>;
  /**
   * Milliseconds of written audio that were played at the far end since the leg began; never more than was written.
   * From the far end's own report where it gives one, else by the clock.
   */
  playedMs(): number;
};
