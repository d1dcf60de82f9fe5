import { FRAME_MS, FRAME_SAMPLES, type MediaStream, SAMPLES_PER_MS } from '#lib/ports/media.ts';
import { createFrames } from './frames.ts';
import { createMarks } from './marks.ts';
import type { Pacer, PacerClock } from './pacer.ts';
import { createSampleQueue } from './sample-queue.ts';

/** What goes out while there is nothing to play; the same array each time, so that a carrier may leave it out. */
export const SILENT_FRAME: Int16Array = new Int16Array(FRAME_SAMPLES);

export type MediaOutput = Pick<MediaStream, 'write' | 'clear' | 'mark' | 'playedMs'> & {
  /** The far end has played or dropped this many of the frames that were sent to it, silent ones counted. */
  reportPlayed(frameCount: number): void;
  /** The leg is over: nothing more is sent, and what waits for a mark hears that it was not played. */
  end(): void;
};

export type MediaOutputOptions = {
  pacer: Pacer;
  clock: PacerClock;
  /** Sends `FRAME_SAMPLES` to the far end, every 20 ms; the carrier may keep the frame, and never changes it. */
  send(frame: Int16Array): void;
  /**
   * Given by a carrier whose far end keeps frames waiting and tells what it has played (`reportPlayed`): drops what
   * waits there, or gives false where that is not worth a hard cut. Without it a frame counts as played when its 20 ms are
   * over.
   */
  dropAtFarEnd?(): boolean;
};

/**
 * The outgoing half of a `MediaStream` for any carrier that can send a frame. All positions count the samples that
 * were written and not dropped.
 */
export function createMediaOutput(options: MediaOutputOptions): MediaOutput {
  const { pacer, clock, send, dropAtFarEnd } = options;
  const queue = createSampleQueue();
  const nextFrame = createFrames();
  const playout = createPlayout();
  const marks = createMarks();
  let hasEnded = false;

  const stop = pacer.start((dueMs) => {
    // Without reports, the frame before this one is over.
    if (!dropAtFarEnd) marks.settle(playout.allPlayed(dueMs));
    const before = queue.size;
    const frame = before === 0 ? SILENT_FRAME : (queue.view(FRAME_SAMPLES) ?? gathered());
    playout.sent(before - queue.size);
    send(frame);
  });

  /** A frame of what lies in several pieces, or of the last there is. */
  function gathered(): Int16Array {
    const frame = nextFrame();
    queue.read(frame);
    return frame;
  }

  return {
    write(samples) {
      if (!hasEnded) queue.add(samples);
    },
    clear() {
      queue.clear();
      if (dropAtFarEnd?.()) playout.dropUnplayed(clock.nowMs());
      marks.drop(playout.sentPosition());
      return playout.sentPosition() / SAMPLES_PER_MS;
    },
    mark() {
      if (hasEnded) return Promise.resolve(false);
      const position = playout.sentPosition() + queue.size;
      return position <= playout.position(clock.nowMs()) ? Promise.resolve(true) : marks.add(position);
    },
    playedMs: () => playout.position(clock.nowMs()) / SAMPLES_PER_MS,
    reportPlayed(frameCount) {
      const position = playout.report(frameCount, clock.nowMs());
      if (position !== undefined) marks.settle(position);
    },
    end() {
      hasEnded = true;
      stop();
      queue.clear();
      playout.dropUnplayed(clock.nowMs());
      marks.drop(-1);
    },
  };
}

/** How far the far end has played what was sent to it. */
function createPlayout() {
  let sent = 0;
  /** Played up to `position` at `atMs`, and on from there; undefined until that is known for the first time. */
  let playing: { position: number; atMs: number } | undefined;
  /** The position after each frame that was sent and is not known to be played. */
  const underway: number[] = [];
  let reportedFrames = 0;
  let told = 0;

  function position(atMs: number): number {
    if (!playing) return 0;
    const frames = Math.max(0, atMs - playing.atMs) / FRAME_MS;
    const whole = Math.floor(frames);
    const before = whole === 0 ? playing.position : (underway[whole - 1] ?? sent);
    const after = underway[whole] ?? sent;
    // A report may say less than the clock did: what was said to be played is not taken back.
    told = Math.max(told, Math.min(after, before + (frames - whole) * FRAME_SAMPLES));
    return told;
  }

  return {
    position,
    sentPosition: () => sent,
    /** A frame left, with so many samples that were written. */
    sent(samples: number) {
      sent += samples;
      underway.push(sent);
    },
    allPlayed(atMs: number): number {
      if (playing) Object.assign(playing, { position: sent, atMs });
      else playing = { position: sent, atMs };
      underway.length = 0;
      return sent;
    },
    /** Gives the position that the report stands for; undefined where it tells nothing new. */
    report(frameCount: number, nowMs: number): number | undefined {
      const count = Math.min(frameCount - reportedFrames, underway.length);
      const reported = underway[count - 1];
      if (reported === undefined) return undefined;
      underway.splice(0, count);
      reportedFrames += count;
      playing = { position: reported, atMs: nowMs };
      return reported;
    },
    dropUnplayed(nowMs: number) {
      sent = position(nowMs);
      reportedFrames += underway.length;
      underway.length = 0;
    },
  };
}
