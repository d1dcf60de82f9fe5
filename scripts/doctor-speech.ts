import { createOpenAiSpeech, OPENAI_VOICES } from '#lib/adapters/models/openai/speech.ts';
import type { Env } from '#lib/env.ts';
import { createGatheredSamples } from '#lib/media/samples.ts';
import { levelDb } from '#lib/media/level.ts';
import type { Clock } from '#lib/ports/clock.ts';
import { SAMPLES_PER_MS } from '#lib/ports/media.ts';
import { type Check, stopwatch } from './doctor-check.ts';

const SLOW_SOUND_MS = 700;
const TEXT = 'Hello, this is a short sentence to see how fast I speak.';
/** Nobody says the sentence faster. */
const LEAST_MS = 700;
const SILENT_DB = -60;
/**
 * How alike neighbouring samples of 16 kHz are: 0.9 and more in speech, the wave being slow against them. Bytes of text, of
 * another byte order or of compressed sound come to less than 0.4 when they are read as samples.
 */
const LEAST_ALIKE = 0.6;

/** Whether the server speaks: in the format that calls play, for as long as the sentence takes. */
export function checksOfSpeech(openai: NonNullable<Env['openai']>, clock: Clock): Check[] {
  const { speechModel, speechVoices } = openai;
  if (speechModel === undefined) return [];
  const voices = speechVoices.length > 0 ? speechVoices : OPENAI_VOICES;
  const speech = createOpenAiSpeech({ ...openai, model: speechModel, voices });
  const run = async (signal: AbortSignal): Promise<string> => {
    const elapsedMs = stopwatch(clock);
    let firstSoundMs: number | undefined;
    const gathered = createGatheredSamples();
    for await (const { samples } of speech.synthesize({
      text: TEXT,
      voiceId: null,
      language: 'en',
      signal,
    })) {
      if (samples.length > 0) firstSoundMs ??= elapsedMs();
      gathered.add(samples);
    }
    if (firstSoundMs === undefined) throw new Error('It gave no sound.');
    const samples = gathered.all();
    const seconds = (samples.length / SAMPLES_PER_MS / 1_000).toFixed(1);
    const fault = faultOf(samples);
    if (fault) throw new Error(`${fault} (${seconds} s came for a sentence of twelve words)`);
    const slow = firstSoundMs > SLOW_SOUND_MS ? ' That is slow for a call.' : '';
    return `It speaks: the first sound came after ${firstSoundMs} ms, ${seconds} s of speech after ${elapsedMs()} ms.${slow}`;
  };
  return [{ part: `SPEECH_MODEL ${speechModel}`, run }];
}

function faultOf(samples: Int16Array): string | undefined {
  if (samples.length < LEAST_MS * SAMPLES_PER_MS) return 'What it answers is no speech: it is too short.';
  if (likeness(samples) < LEAST_ALIKE)
    return 'What it answers is no speech in the format that was asked for (`pcm`: 24 kHz, 16 bit, little endian).';
  return levelDb(samples) < SILENT_DB ? 'It answers silence.' : undefined;
}

/** The correlation of each sample with the next one; 1 where all are the same. */
function likeness(samples: Int16Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample;
  const mean = sum / samples.length;
  let energy = 0;
  let shared = 0;
  let before = 0;
  for (const sample of samples) {
    const value = sample - mean;
    energy += value * value;
    shared += value * before;
    before = value;
  }
  return energy === 0 ? 1 : shared / energy;
}
