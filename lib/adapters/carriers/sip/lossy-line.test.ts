import { expect, it } from 'vitest';
import { encodeG711 } from '#lib/media/g711.ts';
import { seededRandom } from '#lib/media/testing.ts';
import { answerCall, openTestLine } from './testing.ts';

const SECONDS = 20;
const PACKETS = SECONDS * 50;
const HZ = 440;

/** A packet of a steady tone, as a telephone sends it. */
function packetAt(index: number): Buffer {
  const samples = Int16Array.from({ length: 160 }, (_, at) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * HZ * (index * 160 + at)) / 8_000)),
  );
  const packet = Buffer.alloc(172);
  packet.writeUInt16BE(0x8008, 0);
  packet.writeUInt16BE(index & 0xffff, 2);
  packet.writeUInt32BE(index * 160, 4);
  packet.writeUInt32BE(7, 8);
  packet.set(encodeG711('alaw', samples), 12);
  return packet;
}

/** How much of a piece of sound is the tone: 0 to 1. */
function toneShare(samples: Int16Array): number {
  let [real, imaginary, energy] = [0, 0, 0];
  for (const [at, sample] of samples.entries()) {
    const turn = (2 * Math.PI * HZ * at) / 16_000;
    real += sample * Math.cos(turn);
    imaginary += sample * Math.sin(turn);
    energy += sample * sample;
  }
  return energy === 0 ? 0 : (2 * (real ** 2 + imaginary ** 2)) / (samples.length * energy);
}

/** What is heard of a tone over a line that treats packets so; times in ms after the packet was due. */
async function hear(arrivals: (index: number, random: () => number) => number[]): Promise<Int16Array[]> {
  const line = await openTestLine();
  const { leg } = await answerCall(line);
  const heard: Int16Array[] = [];
  leg.media.onFrame((frame) => heard.push(frame.slice()));
  const random = seededRandom(1_889);
  const due = Array.from({ length: PACKETS }, (_, index) => index).flatMap((index) =>
    arrivals(index, random).map((lateMs) => ({ index, atMs: index * 20 + lateMs })),
  );
  let nowMs = 0;
  for (const { index, atMs } of due.toSorted((one, other) => one.atMs - other.atMs)) {
    if (atMs > nowMs) await line.clock.pass(atMs - nowMs);
    nowMs = Math.max(nowMs, atMs);
    line.rtp.say(packetAt(index));
  }
  // The first second and the end are the buffer filling and running empty.
  return heard.slice(50, PACKETS - 50);
}

const lowest = (frames: Int16Array[], part: number) =>
  frames.map(toneShare).sort((one, other) => one - other)[Math.floor(part * frames.length)] ?? 0;
const silentFrames = (frames: Int16Array[]) =>
  frames.filter((frame) => frame.every((sample) => Math.abs(sample) < 200)).length;

it('packets in another order and packets twice are heard as if nothing had happened', async () => {
  const frames = await hear((index, random) => {
    const lateMs = random() < 0.2 ? 25 : Math.floor(random() * 8);
    return random() < 0.05 ? [lateMs, lateMs + 10] : [lateMs];
  });
  expect(lowest(frames, 0.01)).toBeGreaterThan(0.98);
  expect(silentFrames(frames)).toBe(0);
});

it('one packet of twenty that is lost is filled with what was heard before', async () => {
  const frames = await hear((_, random) => (random() < 0.05 ? [] : [Math.floor(random() * 8)]));
  expect(silentFrames(frames)).toBe(0);
  expect(lowest(frames, 0.01)).toBeGreaterThan(0.8);
  expect(lowest(frames, 0.1)).toBeGreaterThan(0.95);
});

it('a line that stalls for 200 ms at times is heard on, and no sound comes twice', async () => {
  const frames = await hear((index) => [index % 150 < 10 ? 200 - (index % 150) * 20 : 0]);
  expect(frames.length).toBeGreaterThan(PACKETS * 0.85);
  expect(lowest(frames, 0.15)).toBeGreaterThan(0.9);
});
