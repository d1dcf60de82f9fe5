import type { RecordingTap } from '#lib/ports/carrier.ts';
import { SAMPLES_PER_MS } from '#lib/ports/media.ts';
import type { SimulatedClock } from './call-clock.ts';

/** Whoever listens in hears a simulated person in pieces of this length. */
const PIECE_MS = 100;

type Sound = {
  clock: SimulatedClock;
  tap: RecordingTap;
  side: 'agent' | 'human';
  samples: Int16Array;
  /** Stops it. */
  signal: AbortSignal;
  /** Told now and then, where call time is real, how much of it was heard. */
  onHeard?(share: number): void;
};

/**
 * Lets the time of a sound pass and gives what was heard to the tap: piece by piece where call time is real, so that it
 * can be listened to while it is heard; at once in the end where it is not. Gives the milliseconds that were heard.
 */
export async function passSound(sound: Sound): Promise<number> {
  const { clock, tap, side, samples, signal } = sound;
  const startedAtMs = clock.nowMs();
  const durationMs = samples.length / SAMPLES_PER_MS;
  let givenMs = 0;
  const giveUntil = (untilMs: number) => {
    const [from, to] = [Math.round(givenMs * SAMPLES_PER_MS), Math.round(untilMs * SAMPLES_PER_MS)];
    if (to > from) tap(side, samples.subarray(from, to), startedAtMs + givenMs);
    givenMs = Math.max(givenMs, untilMs);
  };
  const heardMs = () => Math.min(durationMs, clock.nowMs() - startedAtMs);
  try {
    const pieceMs = clock.isRealTime ? PIECE_MS : durationMs;
    for (let atMs = pieceMs; atMs < durationMs; atMs += pieceMs) {
      await clock.sleep(startedAtMs + atMs - clock.nowMs(), signal);
      giveUntil(atMs);
      sound.onHeard?.(atMs / durationMs);
    }
    await clock.sleep(startedAtMs + durationMs - clock.nowMs(), signal);
    giveUntil(durationMs);
    return durationMs;
  } catch {
    const untilMs = heardMs();
    giveUntil(untilMs);
    return untilMs;
  }
}
