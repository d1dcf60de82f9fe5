import { describe, expect, it } from 'vitest';
import { createTestCallClock } from '#lib/ports/call-clock-testing.ts';
import { createFakeMedia } from '#lib/ports/media-testing.ts';
import { createPlayedSound } from './played-sound.ts';

const ramp = (ms: number, first: number) => Int16Array.from({ length: ms * 16 }, (_, index) => first + index);

function open() {
  const clock = createTestCallClock();
  const { media, farEnd } = createFakeMedia(clock);
  const sound = createPlayedSound(media);
  const recorded = new Int16Array(16 * 2_000);
  media.onFrame(() =>
    sound.take(clock.nowMs(), (samples, atMs) => recorded.set(samples, Math.round(atMs * 16))),
  );
  const lastedMs = () => Math.floor(clock.nowMs()) * 16;
  return { clock, sound, recorded, heard: () => farEnd.heard().subarray(0, lastedMs()) };
}

describe('the sound that was played', () => {
  it('is what the far end heard, at the time when it heard it', async () => {
    const { clock, sound, recorded, heard } = open();
    await clock.pass(33);
    sound.output.write(ramp(133, 1));
    sound.output.write(ramp(67, 5_000));
    await clock.pass(600);
    sound.output.write(ramp(50, 9_000));
    await clock.pass(200);
    expect(heard().some((sample) => sample !== 0)).toBe(true);
    const all = heard();
    const offset = recorded.findIndex((sample) => sample !== 0) - all.findIndex((sample) => sample !== 0);
    // A sound that begins between two looks is taken to end at the second one.
    expect(Math.abs(offset)).toBeLessThanOrEqual(20 * 16);
    expect(recorded.filter((sample) => sample !== 0)).toEqual(all.filter((sample) => sample !== 0));
  });

  it('leaves out what was dropped', async () => {
    const { clock, sound, recorded, heard } = open();
    sound.output.write(ramp(500, 1));
    await clock.pass(110);
    sound.output.clear();
    await clock.pass(50);
    sound.output.write(ramp(30, 20_000));
    await clock.pass(200);
    expect(recorded.filter((sample) => sample !== 0)).toEqual(heard().filter((sample) => sample !== 0));
    expect(recorded.filter((sample) => sample >= 20_000)).toEqual(ramp(30, 20_000));
  });

  it('has no hole where the reports of a far end come unevenly', () => {
    let playedMs = 0;
    const media = {
      write: () => undefined,
      clear: () => playedMs,
      mark: async () => true,
      playedMs: () => playedMs,
      farEndBuffer: { isDeep: () => false },
    };
    const sound = createPlayedSound(media);
    const recorded = new Int16Array(16 * 2_000);
    const look = (nowMs: number, played: number) => {
      playedMs = played;
      sound.take(nowMs, (samples, atMs) => recorded.set(samples, Math.round(atMs * 16)));
    };
    sound.output.write(ramp(400, 1));
    // It plays from 40 ms on; its reports are 0 to 70 ms late, and nothing is known between two of them.
    for (const [nowMs, played] of [
      [150, 100],
      [170, 100],
      [310, 200],
      [330, 200],
      [345, 300],
      [440, 400],
    ] as const)
      look(nowMs, played);
    const first = recorded.findIndex((sample) => sample !== 0);
    expect(recorded.slice(first, first + 400 * 16)).toEqual(ramp(400, 1));
    // After a pause it is where it was heard.
    sound.output.write(ramp(100, 9_000));
    look(1_500, 500);
    expect(recorded.findIndex((sample) => sample >= 9_000)).toBe(1_400 * 16);
  });

  it('has no hole where the process was late and made up for it', () => {
    let playedMs = 0;
    const media = {
      write: () => undefined,
      clear: () => playedMs,
      mark: async () => true,
      playedMs: () => playedMs,
    };
    const sound = createPlayedSound(media);
    const recorded = new Int16Array(16 * 400);
    const look = (nowMs: number, played: number) => {
      playedMs = played;
      sound.take(nowMs, (samples, atMs) => recorded.set(samples, Math.round(atMs * 16)));
    };
    look(100, 0);
    sound.output.write(ramp(160, 1));
    for (const [nowMs, played] of [
      [120, 20],
      [140, 40],
      // The next four come together, 80 ms late, the later ones in time.
      [220, 60],
      [220, 80],
      [221, 100],
      [222, 120],
      [240, 140],
      [260, 160],
    ] as const)
      look(nowMs, played);
    expect(recorded.slice(100 * 16, 260 * 16)).toEqual(ramp(160, 1));
  });
});
