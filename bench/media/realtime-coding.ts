import { performance } from 'node:perf_hooks';
import {
  codingFor,
  createSoundReader,
  createSoundWriter,
} from '#lib/adapters/models/openai/realtime-audio.ts';
import { sayForTest } from '#lib/adapters/models/local/testing.ts';
import { decodeG711, encodeG711 } from '#lib/media/g711.ts';
import { resample } from '#lib/media/resample.ts';
import { FRAME_MS, FRAME_SAMPLES } from '#lib/ports/media.ts';

/*
 * What it costs to carry a call's sound to a realtime model and back: as PCM of 24 kHz, or as the µ-law of a telephone
 * (docs/decisions/0182). `npx node bench/media/realtime-coding.ts`
 */

const LINE = 'I would like to make an appointment for next Tuesday at ten, please.';
const SECONDS = 600;

const spoken = await sayForTest([LINE], 'slt');
const wide = spoken[LINE] ?? new Int16Array(0);
// As it comes from a telephone line: µ-law of 8 kHz, brought to our rate.
const line = decodeG711('mulaw', encodeG711('mulaw', resample(wide, { fromHz: 16_000, toHz: 8_000 })));
const heard = resample(line, { fromHz: 8_000, toHz: 16_000 });
const level = { process: (samples: Int16Array) => samples, end: () => undefined };

for (const isTelephone of [false, true]) {
  const coding = codingFor({ isTelephone });
  const write = createSoundWriter(coding);
  const reader = createSoundReader(coding, level);
  let bytes = 0;
  const startedMs = performance.now();
  for (let frame = 0; frame < (SECONDS * 1_000) / FRAME_MS; frame += 1) {
    const at = (frame * FRAME_SAMPLES) % (heard.length - FRAME_SAMPLES);
    const sent = write(heard.subarray(at, at + FRAME_SAMPLES));
    bytes += sent.length;
    reader.read(sent);
  }
  const spentMs = performance.now() - startedMs;
  const once = createSoundWriter(coding);
  const sent = Buffer.from(once(heard), 'base64');
  const there = resample(coding.decode(sent), { fromHz: coding.rateHz, toHz: 8_000 });
  process.stdout.write(
    `${coding.format.type}: ${(bytes / SECONDS / 1_000).toFixed(1)} KB/s each way, ${((spentMs / SECONDS) * 1_000).toFixed(0)} µs of processor time for a second both ways (${((spentMs / SECONDS / 1_000) * 100).toFixed(3)} % of a core), ${signalToNoiseDb(line, there).toFixed(1)} dB above what was lost\n`,
  );
}

/** How far a copy, perhaps a little late, is from the original, at the delay at which it fits best. */
function signalToNoiseDb(original: Int16Array, copy: Int16Array): number {
  let best = Number.NEGATIVE_INFINITY;
  for (let delay = 0; delay < 400; delay += 1) {
    let signal = 0;
    let noise = 0;
    for (let index = 0; index + delay < copy.length && index < original.length; index += 1) {
      const sample = original[index] ?? 0;
      signal += sample * sample;
      noise += (sample - (copy[index + delay] ?? 0)) ** 2;
    }
    best = Math.max(best, 10 * Math.log10(signal / Math.max(1, noise)));
  }
  return best;
}
