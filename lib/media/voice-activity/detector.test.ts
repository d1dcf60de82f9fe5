import { beforeAll, describe, expect, it } from 'vitest';
import { sayForTest } from '#lib/adapters/models/local/testing.ts';
import { FRAME_MS, FRAME_SAMPLES } from '#lib/ports/media.ts';
import {
  atLevel,
  clicks,
  cough,
  joined,
  mixed,
  music,
  noise,
  overTelephone,
  silence,
  tone,
} from '../testing.ts';
import { createVoiceDetector, type VoiceChange } from './detector.ts';

const WORDS = ['Yes.', 'No.', 'Two.', 'Mhm.'] as const;
const SENTENCE = 'I would like to make an appointment for next Tuesday.';
let said: Awaited<ReturnType<typeof sayForTest<(typeof WORDS)[number] | typeof SENTENCE>>>;
beforeAll(async () => {
  said = await sayForTest([...WORDS, SENTENCE]);
});

/** What is noticed, and when it becomes known, of sound that comes in frames. */
function detect(sound: Int16Array, leastDb = -60): (VoiceChange & { knownAtMs: number })[] {
  const changes: (VoiceChange & { knownAtMs: number })[] = [];
  let nowMs = 0;
  const detector = createVoiceDetector({
    onChange: (change) => changes.push({ ...change, knownAtMs: nowMs }),
    pauseMs: () => 200,
    leastDb: () => leastDb,
  });
  for (let frame = 0; frame < sound.length / FRAME_SAMPLES; frame += 1) {
    nowMs = (frame + 1) * FRAME_MS;
    detector.push(sound.subarray(frame * FRAME_SAMPLES, (frame + 1) * FRAME_SAMPLES), frame * FRAME_MS);
  }
  return changes;
}

const types = (sound: Int16Array, leastDb?: number) => detect(sound, leastDb).map(({ type }) => type);
const between = (speech: Int16Array) => joined(silence(3_000), speech, silence(1_000));

describe('short words are heard', () => {
  it.each([
    ['spoken quietly', (speech: Int16Array) => atLevel(speech, -30)],
    ['hardly audible', (speech: Int16Array) => atLevel(speech, -45)],
    ['quiet, over the telephone', (speech: Int16Array) => overTelephone(atLevel(speech, -30))],
    [
      'in a street',
      (speech: Int16Array) => mixed(atLevel(speech, -30), noise(speech.length / 16, { db: -42 })),
    ],
    [
      'over music',
      (speech: Int16Array) => mixed(atLevel(speech, -25), music(speech.length / 16, { db: -40 })),
    ],
  ])('%s', (_, as) => {
    for (const word of WORDS) expect(types(as(between(said[word]))), word).toEqual(['started', 'stopped']);
  });
});

it('tells where speech began and ended to within an eighth of a second, soon enough to act', () => {
  const speech = said[SENTENCE];
  const [started, stopped] = detect(between(speech));
  const endMs = 3_000 + speech.length / 16;
  expect(Math.abs((started?.atMs ?? 0) - 3_000)).toBeLessThan(125);
  expect(Math.abs((stopped?.atMs ?? 0) - endMs)).toBeLessThan(125);
  expect(started?.knownAtMs).toBeLessThan(3_200);
  expect(stopped?.knownAtMs).toBeLessThan(endMs + 350);
});

describe('what is no voice is not taken for one', () => {
  it.each([
    ['white noise', () => noise(8_000, { db: -30, colour: 0 })],
    ['the noise of a street', () => noise(8_000, { db: -25 })],
    ['noise that begins suddenly', () => joined(silence(4_000), noise(4_000, { db: -25 }))],
    ['music', () => music(8_000, { db: -22 })],
    ['music over the telephone', () => overTelephone(music(8_000, { db: -22 }))],
    ['a keyboard', () => clicks(8_000, { db: -25 })],
    ['coughs', () => joined(...[1, 2, 3, 4].map((seed) => joined(silence(1_000), cough({ db: -20, seed }))))],
    ['a dial tone', () => tone(8_000, { hz: 425, db: -18 })],
    ['a hum', () => mixed(tone(8_000, { hz: 50, db: -30 }), tone(8_000, { hz: 150, db: -34 }))],
    ['nothing at all', () => silence(8_000)],
  ])('%s', (_, sound) => {
    expect(types(sound())).toEqual([]);
  });
});

it('what is quieter than it has to be does not count', () => {
  const quiet = between(atLevel(said[SENTENCE], -45));
  expect(types(quiet, -38)).toEqual([]);
  expect(types(between(atLevel(said[SENTENCE], -30)), -38)).toEqual(['started', 'stopped']);
});

it('two pauses of half a second make three stretches, and two short ones none', () => {
  const parts = WORDS.slice(0, 3).map((word) => said[word]);
  const withPauses = (ms: number) => between(joined(...parts.flatMap((part) => [part, silence(ms)])));
  expect(types(withPauses(600)).filter((type) => type === 'started')).toHaveLength(3);
  expect(types(withPauses(60)).filter((type) => type === 'started')).toHaveLength(1);
});

it('frames of any length are the same sound', () => {
  const sound = between(said['Yes.']);
  const changes: VoiceChange[] = [];
  const detector = createVoiceDetector({
    onChange: (change) => changes.push(change),
    pauseMs: () => 200,
    leastDb: () => -60,
  });
  for (let at = 0, size = 1; at < sound.length; at += size) {
    size = 1 + ((size * 7 + 13) % 1_499);
    detector.push(sound.subarray(at, at + size), at / 16);
  }
  expect(detect(sound)).toMatchObject(changes);
});
