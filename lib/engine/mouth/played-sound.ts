import { FADE_SAMPLES, fadeOut } from '#lib/media/fade.ts';
import { joinSamples } from '#lib/media/samples.ts';
import { FRAME_MS, type MediaStream, SAMPLES_PER_MS } from '#lib/ports/media.ts';

type Output = Pick<MediaStream, 'write' | 'clear' | 'mark' | 'playedMs'>;
type Media = Output & Pick<MediaStream, 'farEndBuffer'>;

export type PlayedSound = {
  /** To be written to in place of the leg's own. */
  output: Output;
  /** Gives what was played since it was asked last, with the call time of its first sample. Asked with each frame. */
  take(nowMs: number, onSound: (samples: Int16Array, atMs: number) => void): void;
};

/** Timers ring a little late: what was asked for so much later than it was played still follows without a gap. */
const JITTER_MS = 30;
/** Reports of a far end come a little earlier or later each time, though what it plays has no gap. */
const REPORT_JITTER_MS = 120;
/** Between two frames in time lies so much. Less is one of several that a late process makes up for, more is a late one. */
const IN_TIME_MS = { least: 18, most: 40 };
/** Whoever was away for longer makes up for nothing. */
const MOST_LATE_MS = 400;

/**
 * Remembers what is written to a leg until it was played, for the recording: what was dropped is never heard, but for the
 * first moment of it, in which the sound that is cut fades away.
 */
export function createPlayedSound(media: Media): PlayedSound {
  let parts: Int16Array[] = [];
  /** Positions count samples that were written and not dropped; `parts` lie between them. */
  let taken = 0;
  let written = 0;
  /** When it was looked last, not all was played: what follows was played without a pause. */
  let hadMore = false;
  let endedAtMs = Number.NEGATIVE_INFINITY;
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let dueMs = Number.NEGATIVE_INFINITY;

  /**
   * When this look was due: frames leave by absolute time (0167), so the far end hears no hole where this process was late
   * and made up for it, and the recording has none.
   */
  function dueAt(nowMs: number): number {
    const passedMs = nowMs - askedAtMs;
    const isInTime = passedMs >= IN_TIME_MS.least && passedMs <= IN_TIME_MS.most;
    dueMs = isInTime || nowMs - dueMs > MOST_LATE_MS ? nowMs : Math.min(nowMs, dueMs + FRAME_MS);
    askedAtMs = nowMs;
    return dueMs;
  }

  /** Takes so many samples off the front. */
  function shift(count: number): Int16Array[] {
    const pieces: Int16Array[] = [];
    let missing = count;
    while (missing > 0) {
      const part = parts.shift();
      if (!part) break;
      if (part.length > missing) parts.unshift(part.subarray(missing));
      pieces.push(part.subarray(0, missing));
      missing -= Math.min(missing, part.length);
    }
    return pieces;
  }

  function write(samples: Int16Array): void {
    if (samples.length === 0) return;
    parts.push(samples);
    written += samples.length;
    media.write(samples);
  }

  return {
    output: {
      mark: media.mark,
      playedMs: media.playedMs,
      write,
      clear() {
        // Asked before: what is dropped changes it.
        const isCutElsewhere = media.farEndBuffer?.isDeep() === true;
        const playedMs = media.clear({ fades: !isCutElsewhere });
        const kept = Math.round(playedMs * SAMPLES_PER_MS) - taken;
        const heard = shift(kept);
        const end = isCutElsewhere ? undefined : fadeOut(joinSamples(shift(FADE_SAMPLES)));
        parts = heard;
        written = taken + kept;
        if (!end || end.length === 0) return playedMs;
        write(end);
        return playedMs + end.length / SAMPLES_PER_MS;
      },
    },
    take(nowMs, onSound) {
      // What a far end tells of does not wait for this process.
      const heardMs = media.farEndBuffer ? nowMs : dueAt(nowMs);
      const played = Math.min(written, Math.round(media.playedMs() * SAMPLES_PER_MS));
      const count = played - taken;
      if (count <= 0) return;
      const jitterMs = media.farEndBuffer && hadMore ? REPORT_JITTER_MS : JITTER_MS;
      taken = played;
      hadMore = written > played;
      const soundedAtMs = heardMs - count / SAMPLES_PER_MS;
      let atMs = Math.abs(soundedAtMs - endedAtMs) <= jitterMs ? endedAtMs : soundedAtMs;
      for (const piece of shift(count)) {
        onSound(piece, atMs);
        atMs += piece.length / SAMPLES_PER_MS;
      }
      endedAtMs = atMs;
    },
  };
}
