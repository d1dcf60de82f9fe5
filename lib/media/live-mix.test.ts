import { expect, it } from 'vitest';
import { manualClock } from '#lib/ports/testing.ts';
import { createLiveMix, type LiveSound } from './live-mix.ts';

function mixForTest() {
  const hands = manualClock();
  const startedAtMs = hands.now().getTime();
  const heard: LiveSound[] = [];
  const clock = { nowMs: () => hands.now().getTime() - startedAtMs, sleep: hands.sleep };
  const mix = createLiveMix(clock, (sound) => heard.push(sound));
  /** One channel of all that was given, from its beginning. */
  const channel = (index: 0 | 1) =>
    heard.flatMap(({ samples }) => [...samples].filter((_, at) => at % 2 === index));
  return { ...mix, advance: hands.advance, heard, channel };
}

const tone = (samples: number, value: number) => new Int16Array(samples).fill(value);

it('puts each side into its channel at its time, and silence where nobody speaks', async () => {
  const mix = mixForTest();
  mix.write('agent', tone(1_600, 7), 50);
  mix.write('human', tone(320, 9), 200);
  await mix.advance(1_000);
  expect(mix.channel(0).slice(0, 3_200)).toEqual([...tone(800, 0), ...tone(1_600, 7), ...tone(800, 0)]);
  expect(mix.channel(1).indexOf(9)).toBe(200 * 16);
  expect(mix.channel(1).filter((sample) => sample === 9)).toHaveLength(320);
});

it('gives ten blocks a second without a gap, whether anybody speaks or not', async () => {
  const mix = mixForTest();
  await mix.advance(2_340);
  expect(mix.heard.map(({ fromMs }) => fromMs)).toEqual(
    Array.from({ length: 21 }, (_, index) => index * 100),
  );
});

it('takes sound that comes a little late, leaves out what comes too late, and repeats nothing', async () => {
  const mix = mixForTest();
  await mix.advance(300);
  mix.write('agent', tone(160, 5), 90);
  await mix.advance(10_000);
  expect(mix.channel(0).filter((sample) => sample === 5)).toHaveLength(160);
  mix.write('agent', tone(160, 6), 90);
  await mix.advance(10_000);
  expect(mix.channel(0)).not.toContain(6);
});

it('gives nothing any more once it is stopped', async () => {
  const mix = mixForTest();
  await mix.advance(500);
  const before = mix.heard.length;
  mix.stop();
  await mix.advance(2_000);
  expect(mix.heard).toHaveLength(before);
});
