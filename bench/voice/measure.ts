import type { MemorySinks } from '#lib/engine/testing.ts';
import { levelDb } from '#lib/media/level.ts';
import { createLoudnessMeter } from '#lib/media/loudness.ts';
import { SAMPLES_PER_MS } from '#lib/ports/media.ts';

const STEP_MS = 5;
const STEP = STEP_MS * SAMPLES_PER_MS;
const LOUD_DB = -45;
/** A word may begin softly, and 30 ms of silence are left before it. */
const SOFT_DB = -60;
/** Silence that belongs to speech: between words, in the closure of a "t". */
const PAUSE_MS = 350;
/** From a sample of so much to nothing at all is heard as a click. */
const CLICK = 300;
/** Speech is never exactly nothing for so long between two loud sounds; sound that came too late is. */
const GAP_MS = { least: 10, most: 150 };

export type Measured = {
  agentLufs: number | undefined;
  personLufs: number | undefined;
  clippedSamples: number;
  clicks: number;
  /** Holes of nothing in the agent's speech, in milliseconds of the recording. */
  gapsAtMs: number[];
  /** From what the transcript says a turn begins at to where its sound begins, of turns with silence before them. */
  stepsMs: number[];
  /** From the last sound of the person to the agent's first. */
  answersMs: number[];
  longestSilenceMs: number;
};

/** What numbers say of a recording: left the agent, right the person. */
export function measureRecording(wav: Buffer, turns: MemorySinks['turns']): Measured {
  const [agent, person] = [channelOf(wav, 0), channelOf(wav, 2)];
  const agentSounds = soundsOf(agent);
  const softSounds = soundsOf(agent, SOFT_DB);
  const personSounds = soundsOf(person);
  const both = [...agentSounds, ...personSounds].toSorted((one, other) => one.fromMs - other.fromMs);
  const agentTurns = turns.filter(({ speaker }) => speaker === 'agent');
  return {
    agentLufs: loudnessOf(agent),
    personLufs: loudnessOf(person),
    clippedSamples: agent.filter((sample) => Math.abs(sample) >= 32_767).length,
    clicks: countClicks(agent),
    gapsAtMs: findGaps(agent),
    stepsMs: agentTurns
      .filter(({ startedMs }, index) => startedMs - (agentTurns[index - 1]?.endedMs ?? -PAUSE_MS) >= PAUSE_MS)
      .map(({ startedMs }) => nearest(softSounds, startedMs) - startedMs),
    answersMs: answersOf(agentSounds, personSounds, turns),
    longestSilenceMs: longestSilence(both),
  };
}

export type Sound = { fromMs: number; toMs: number };

/** One side of a stereo WAV of 16 bits, by its offset in bytes. */
export function channelOf(wav: Buffer, offset: 0 | 2): Int16Array {
  const samples = new Int16Array((wav.length - 44) >> 2);
  for (let index = 0; index < samples.length; index += 1)
    samples[index] = wav.readInt16LE(44 + index * 4 + offset);
  return samples;
}

function loudnessOf(samples: Int16Array): number | undefined {
  const meter = createLoudnessMeter();
  meter.add(samples);
  return meter.integrated();
}

export function soundsOf(samples: Int16Array, leastDb = LOUD_DB): Sound[] {
  const sounds: Sound[] = [];
  for (let at = 0; at + STEP <= samples.length; at += STEP) {
    if (levelDb(samples.subarray(at, at + STEP)) < leastDb) continue;
    const fromMs = at / SAMPLES_PER_MS;
    const last = sounds.at(-1);
    if (last && fromMs - last.toMs <= PAUSE_MS) last.toMs = fromMs + STEP_MS;
    else sounds.push({ fromMs, toMs: fromMs + STEP_MS });
  }
  return sounds;
}

/** Where the sound that begins closest to `atMs` begins. */
function nearest(sounds: readonly Sound[], atMs: number): number {
  return sounds.reduce(
    (best, { fromMs }) => (Math.abs(fromMs - atMs) < Math.abs(best - atMs) ? fromMs : best),
    Number.POSITIVE_INFINITY,
  );
}

function countClicks(samples: Int16Array): number {
  let clicks = 0;
  for (let at = 1; at + 32 < samples.length; at += 1) {
    const before = samples[at - 1] ?? 0;
    if (samples[at] !== 0 || Math.abs(before) < CLICK) continue;
    if (samples.subarray(at, at + 32).every((sample) => sample === 0)) clicks += 1;
  }
  return clicks;
}

function findGaps(samples: Int16Array): number[] {
  const gaps: number[] = [];
  let from = -1;
  for (let at = 0; at < samples.length; at += 1) {
    if (samples[at] === 0) {
      if (from === -1) from = at;
      continue;
    }
    const lengthMs = (at - from) / SAMPLES_PER_MS;
    const isHole = from > STEP && lengthMs >= GAP_MS.least && lengthMs <= GAP_MS.most;
    const isLoud = (start: number) => levelDb(samples.subarray(start, start + STEP)) > -35;
    if (isHole && isLoud(from - STEP) && isLoud(at)) gaps.push(Math.round(from / SAMPLES_PER_MS));
    from = -1;
  }
  return gaps;
}

function answersOf(agent: readonly Sound[], sounds: readonly Sound[], turns: MemorySinks['turns']): number[] {
  // In a noise that never ends, only the transcript tells where the person's words do.
  const isNoise = sounds.some(({ toMs }) => agent.every(({ fromMs }) => fromMs < toMs));
  const words = turns.filter(({ speaker }) => speaker === 'human');
  const person = isNoise
    ? words.map(({ startedMs, endedMs }) => ({ fromMs: startedMs, toMs: endedMs }))
    : sounds;
  return person.flatMap(({ toMs }, index) => {
    const next = person[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY;
    const answer = agent.find(({ fromMs }) => fromMs > toMs && fromMs < next);
    return answer ? [Math.round(answer.fromMs - toMs)] : [];
  });
}

function longestSilence(sounds: readonly Sound[]): number {
  let longest = 0;
  let untilMs = 0;
  for (const { fromMs, toMs } of sounds) {
    longest = Math.max(longest, fromMs - untilMs);
    untilMs = Math.max(untilMs, toMs);
  }
  return Math.round(longest);
}
