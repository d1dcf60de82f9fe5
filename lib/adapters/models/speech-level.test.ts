import { describe, expect, it } from 'vitest';
import { createLoudnessMeter, TARGET_LUFS } from '#lib/media/loudness.ts';
import type { SpeechSynthesizer } from '#lib/ports/speech.ts';
import { createLeveledSpeech } from './speech-level.ts';

/** Syllables of 200 ms with pauses between them, in pieces of 100 ms, so loud as its voice is called. */
const speech: SpeechSynthesizer = {
  voices: [],
  async *synthesize({ text, voiceId }) {
    const level = 32_768 * 10 ** (Number(voiceId) / 20);
    for (let piece = 0; piece < text.length; piece += 1) {
      const isPause = piece % 3 === 2;
      yield {
        samples: Int16Array.from({ length: 1_600 }, (_, index) =>
          isPause ? 0 : Math.round(level * Math.sin((2 * Math.PI * 300 * index) / 16_000)),
        ),
      };
    }
  },
};

async function loudness(leveled: SpeechSynthesizer, text: string, voiceId: string, fromMs = 0) {
  const meter = createLoudnessMeter();
  let passedMs = 0;
  for await (const { samples } of leveled.synthesize({ text, voiceId, language: null })) {
    if (passedMs >= fromMs) meter.add(samples);
    passedMs += samples.length / 16;
  }
  return meter.integrated() ?? 0;
}

const sentence = 'x'.repeat(30);

describe('speech at one loudness', () => {
  it.each(['-10', '-16', '-22', '-28'])('brings a voice of %s dBFS to the loudness of all', async (voice) => {
    const leveled = createLeveledSpeech(speech);
    expect(Math.abs((await loudness(leveled, sentence, voice)) - TARGET_LUFS)).toBeLessThan(1.5);
    expect(Math.abs((await loudness(leveled, sentence, voice)) - TARGET_LUFS)).toBeLessThan(0.7);
  });

  it('keeps voices apart', async () => {
    const leveled = createLeveledSpeech(speech);
    for (const voice of ['-10', '-30', '-10', '-30']) await loudness(leveled, sentence, voice);
    for (const voice of ['-10', '-30'])
      expect(Math.abs((await loudness(leveled, 'x'.repeat(9), voice)) - TARGET_LUFS)).toBeLessThan(0.7);
  });
});
