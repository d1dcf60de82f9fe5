import { expect, it } from 'vitest';
import { FADE_SAMPLES } from '#lib/media/fade.ts';
import { createSentCount } from '#lib/media/sent-count.ts';
import { createPlayedSound } from '#lib/engine/mouth/played-sound.ts';
import { FRAME_SAMPLES, SAMPLES_PER_MS } from '#lib/ports/media.ts';
import { createRtpOutput } from './rtp-output.ts';

/** Both threads of one call in one: what is written reaches the one that sends when the test lets it. */
function open() {
  const memory = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
  const output = createRtpOutput(memory);
  const count = createSentCount(memory);
  const underway: { samples: Int16Array; generation: number }[] = [];
  const sound = createPlayedSound({
    write: (samples) => underway.push({ samples: samples.slice(), generation: count.generation() }),
    clear: ({ fades = false } = {}) => count.cut({ fades }) / SAMPLES_PER_MS,
    mark: async () => true,
    playedMs: () => count.sent() / SAMPLES_PER_MS,
  });
  const sent: number[] = [];
  return {
    sound,
    sent,
    sentMs: () => count.sent() / SAMPLES_PER_MS,
    arrive() {
      for (const { samples, generation } of underway.splice(0)) output.write(samples, generation);
    },
    send(frames: number) {
      for (let frame = 0; frame < frames; frame += 1) sent.push(...output.next());
    },
  };
}

const loud = (frames: number) => new Int16Array(frames * FRAME_SAMPLES).fill(8_000);
const steps = (samples: number[]) =>
  samples.slice(1).map((sample, index) => Math.abs(sample - (samples[index] ?? 0)));

/** What is sent when an agent that has said 60 ms of 200 is cut, and says 20 ms more. */
function cutWhere(act: (call: ReturnType<typeof open>) => void): { sent: number[]; sentMs: number } {
  const call = open();
  call.sound.output.write(loud(10));
  call.arrive();
  call.send(3);
  expect(call.sound.output.clear()).toBe(60 + FADE_SAMPLES / SAMPLES_PER_MS);
  act(call);
  call.send(2);
  return { sent: call.sent, sentMs: call.sentMs() };
}

it('what is cut fades at once, whether its fade arrives before the next packet or after it', () => {
  const before = cutWhere((call) => call.arrive());
  const after = cutWhere((call) => {
    call.send(1);
    call.arrive();
  });
  const never = cutWhere((call) => call.send(1));
  expect(after.sent.slice(0, 5 * FRAME_SAMPLES)).toEqual(before.sent);
  expect(never.sent).toEqual(after.sent);
  for (const { sent, sentMs } of [before, after, never]) {
    expect(sentMs).toBe(60 + FADE_SAMPLES / SAMPLES_PER_MS);
    expect(sent.findLastIndex((sample) => sample !== 0)).toBeLessThan(3 * FRAME_SAMPLES + FADE_SAMPLES);
    expect(Math.max(...steps(sent))).toBeLessThan(200);
  }
});

it('what is said after a cut follows the fade, and is heard once', () => {
  const { sent } = cutWhere((call) => {
    call.send(1);
    call.sound.output.write(new Int16Array(100).fill(-5_000));
    call.arrive();
  });
  expect(sent.filter((sample) => sample === -5_000)).toHaveLength(100);
  expect(sent.findIndex((sample) => sample === -5_000)).toBe(4 * FRAME_SAMPLES);
});

it('what was not there yet when it was cut is not heard, but for the fade of it', () => {
  const call = open();
  call.sound.output.write(loud(1));
  call.sound.output.clear();
  call.send(1);
  expect(call.sent.every((sample) => sample === 0)).toBe(true);
  call.arrive();
  call.send(2);
  expect(call.sentMs()).toBe(FADE_SAMPLES / SAMPLES_PER_MS);
  expect(call.sent.filter((sample) => sample !== 0)).not.toContain(8_000);
});

it('a cut of a cut leaves nothing behind', () => {
  const call = open();
  call.sound.output.write(loud(10));
  call.arrive();
  call.send(1);
  call.sound.output.clear();
  call.sound.output.clear();
  call.send(1);
  call.arrive();
  call.send(3);
  expect(call.sentMs()).toBe(20 + FADE_SAMPLES / SAMPLES_PER_MS);
  expect(call.sent.findLastIndex((sample) => sample !== 0)).toBeLessThan(FRAME_SAMPLES + FADE_SAMPLES);
});
