import { afterAll, describe, expect, it } from 'vitest';
import { createLoudnessMeter, TARGET_LUFS } from '#lib/media/loudness.ts';
import { collectSpeech } from '#lib/media/samples.ts';
import { describeSpeechSynthesizer } from '#lib/ports/speech-conformance.ts';
import { createFliteSpeech } from './speech-flite.ts';
import { splitSpeakable } from './speech-text.ts';

const speech = createFliteSpeech();
afterAll(() => speech.close());

const say = (text: string, voiceId: string | null = null) =>
  collectSpeech(speech.synthesize({ text, voiceId, language: null }));
const durationMs = (samples: Int16Array) => samples.length / 16;
const loudest = (samples: Int16Array) =>
  samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);

describeSpeechSynthesizer('the local voices', async () => {
  const own = createFliteSpeech();
  return { speech: own, close: () => own.close() };
});

describe('the local voices', () => {
  it('speak with each of their voices, at 16 kHz, equally loud and at about the same pace', async () => {
    for (const voice of speech.voices) {
      const samples = await say('This is a sentence of about three seconds, spoken aloud.', voice.id);
      expect(durationMs(samples), voice.id).toBeGreaterThan(2_000);
      expect(durationMs(samples), voice.id).toBeLessThan(6_000);
      const meter = createLoudnessMeter();
      meter.add(samples);
      expect(Math.abs((meter.integrated() ?? 0) - TARGET_LUFS), voice.id).toBeLessThan(1);
    }
  });

  it('sound different from each other', async () => {
    const texts = await Promise.all(['slt', 'rms', 'awb'].map((voice) => say('Good morning.', voice)));
    expect(texts[1]).not.toEqual(texts[0]);
    expect(texts[2]).not.toEqual(texts[1]);
  });

  it.each([
    ['a leading dash', '-voice kal16 hello'],
    ['an option of the program', '--help'],
    ['quotes and dashes', '“Well” — it’s fine…'],
    ['accents', 'Café Müller, naïve Straße'],
    ['control characters', 'one\u0007two\u001b[31m three'],
    ['a phone number', 'Call +15550100001 now'],
    ['a lone surrogate', 'hello \ud800 there'],
    ['markup', '<speak>hello & welcome</speak>'],
  ])('say a text with %s', async (_, text) => {
    const samples = await say(text);
    expect(durationMs(samples)).toBeGreaterThan(400);
    expect(loudest(samples)).toBeGreaterThan(1_000);
  });

  it.each(['', '   ', '😀🎉', '你好', '...'])(
    'are silent for a moment where there is nothing to say: "%s"',
    async (text) => {
      const samples = await say(text);
      expect(durationMs(samples)).toBe(200);
      expect(loudest(samples)).toBe(0);
    },
  );

  it('say a very long text whole', async () => {
    const sentence = 'This is one of very many sentences. ';
    const [one, many] = await Promise.all([say(sentence), say(sentence.repeat(10))]);
    expect(durationMs(many)).toBeGreaterThan(durationMs(one) * 8);
    expect(durationMs(await say('x'.repeat(450)))).toBeGreaterThan(1_000);
  });

  it('give the same speech again from memory, once for two who ask at the same time', async () => {
    const [first, second] = await Promise.all([say('Only once, please.'), say('Only once, please.')]);
    expect(second).toBe(first);
    expect(await say('Only once, please.')).toBe(first);
  });

  it('keep the memory of what was said within its bound', async () => {
    const small = createFliteSpeech({ cacheBytes: 60_000 });
    const once = (text: string) => collectSpeech(small.synthesize({ text, voiceId: null, language: null }));
    const first = await once('Number one.');
    await once('Number two.');
    await once('Number three.');
    expect(await once('Number one.')).not.toBe(first);
    expect(await once('Number one.')).toEqual(first);
    await small.close();
  });

  it('start again after being closed', async () => {
    const other = createFliteSpeech();
    const speak = (text: string) => collectSpeech(other.synthesize({ text, voiceId: null, language: null }));
    const cut = speak('Never finished.');
    await other.close();
    await expect(cut).rejects.toMatchObject({ code: 'PROVIDER_FAILED' });
    expect((await speak('Back again.')).length).toBeGreaterThan(8_000);
    await other.close();
  });

  it('say numbers of telephones digit by digit', () => {
    expect(splitSpeakable('Call +15550100001.')).toEqual(['Call 1 5, 5 5 0, 1 0 0, 0 0 1.']);
  });

  it('cut long texts at the ends of sentences', () => {
    const pieces = splitSpeakable('One two three four five. '.repeat(40));
    expect(pieces.length).toBeGreaterThan(1);
    for (const piece of pieces) expect(piece).toMatch(/^One .*five\.$/);
  });
});
