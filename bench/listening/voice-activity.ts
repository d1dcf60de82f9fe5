/**
 * How well and how cheaply voice activity is found: short words and sentences of the local voices at several levels
 * and in noise, sounds without a voice, and the processor's share of one stream.
 *
 *   node bench/listening/voice-activity.ts
 */
import { sayForTest } from '#lib/adapters/models/local/testing.ts';
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
} from '#lib/media/testing.ts';
import { createVoiceDetector, type VoiceChange } from '#lib/media/voice-activity/detector.ts';
import { FRAME_MS, FRAME_SAMPLES } from '#lib/ports/media.ts';

const TEXTS = [
  'Yes.',
  'No.',
  'Okay.',
  'Hello?',
  'Yep.',
  'Two.',
  'Mhm.',
  'I would like to make an appointment for next Tuesday.',
  'My number is four seven one, three three, two.',
];
const SILENCE_BEFORE_MS = 5_000;

type Noticed = VoiceChange & { knownAtMs: number };

function detect(sound: Int16Array): Noticed[] {
  const noticed: Noticed[] = [];
  let nowMs = 0;
  const detector = createVoiceDetector({
    onChange: (change) => noticed.push({ ...change, knownAtMs: nowMs }),
    pauseMs: () => 200,
    leastDb: () => -60,
  });
  for (let frame = 0; (frame + 1) * FRAME_SAMPLES <= sound.length; frame += 1) {
    nowMs = (frame + 1) * FRAME_MS;
    detector.push(sound.subarray(frame * FRAME_SAMPLES, (frame + 1) * FRAME_SAMPLES), frame * FRAME_MS);
  }
  return noticed;
}

function quantiles(values: number[]): string {
  const sorted = values.toSorted((one, other) => one - other);
  return [0.5, 0.95, 1].map((part) => Math.round(sorted[Math.floor(part * (sorted.length - 1))]!)).join('/');
}

const voices = ['slt', 'rms', 'awb', 'kal16'];
const said = (await Promise.all(voices.map((voice) => sayForTest(TEXTS, voice)))).flatMap((one) =>
  Object.values(one),
);

const under = (other: (ms: number) => Int16Array) => (sound: Int16Array) =>
  mixed(sound, other(sound.length / 16));
const conditions: [string, number, (sound: Int16Array) => Int16Array][] = [
  ['−20 dB', -20, (sound) => sound],
  ['−30 dB', -30, (sound) => sound],
  ['−40 dB', -40, (sound) => sound],
  ['−45 dB', -45, (sound) => sound],
  ['−30 dB, telephone', -30, overTelephone],
  ['−40 dB, telephone', -40, overTelephone],
  ['−30 dB, noise 10 dB below', -30, under((ms) => noise(ms, { db: -40 }))],
  ['−25 dB, noise 5 dB below', -25, under((ms) => noise(ms, { db: -30 }))],
  ['−25 dB, music 10 dB below', -25, under((ms) => music(ms, { db: -35 }))],
];
console.log(`${said.length} pieces of speech; milliseconds as median/95 %/most`);
for (const [name, db, pass] of conditions) {
  const results = said.map((speech) => ({
    speech,
    noticed: detect(pass(joined(silence(SILENCE_BEFORE_MS), atLevel(speech, db), silence(1_500)))),
  }));
  const heard = results.filter(({ noticed }) => noticed.length > 0);
  const began = heard.map(({ noticed }) => noticed[0]!.atMs - SILENCE_BEFORE_MS);
  const known = heard.map(({ noticed }) => noticed[0]!.knownAtMs - SILENCE_BEFORE_MS);
  const ended = heard.map(
    ({ speech, noticed }) => noticed.at(-1)!.knownAtMs - SILENCE_BEFORE_MS - speech.length / 16,
  );
  console.log(
    `${name.padEnd(28)} heard ${heard.length}, begins ${quantiles(began)} late, known after ${quantiles(known)}, end known after ${quantiles(ended)}`,
  );
}

const voiceless: [string, Int16Array][] = [
  ['noise', noise(60_000, { db: -25 })],
  ['white noise', noise(60_000, { db: -30, colour: 0 })],
  ['music', music(60_000, { db: -22 })],
  ['keyboard', clicks(60_000, { db: -25 })],
  [
    'coughs',
    joined(...Array.from({ length: 45 }, (_, seed) => joined(silence(1_050), cough({ db: -20, seed })))),
  ],
  ['dial tone', tone(60_000, { hz: 425, db: -18 })],
];
for (const [name, sound] of voiceless)
  console.log(`${name.padEnd(28)} taken for speech ${detect(sound).length / 2} times in a minute`);

const talk = joined(...said.flatMap((speech) => [speech, silence(speech.length / 10)]));
for (const [name, sound] of [
  ['silence', silence(120_000)],
  ['noise of −45 dB', noise(120_000, { db: -45 })],
  ['music', music(120_000, { db: -25 })],
  ['somebody talks 60 %', talk],
] as const) {
  detect(sound);
  const before = process.cpuUsage();
  for (let round = 0; round < 5; round += 1) detect(sound);
  const { user, system } = process.cpuUsage(before);
  const share = (user + system) / 1_000 / (5 * (sound.length / 16));
  console.log(`${name.padEnd(28)} ${(share * 100).toFixed(3)} % of a core`);
}
