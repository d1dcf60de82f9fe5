import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectSpeech } from '#lib/media/samples.ts';
import { SAMPLES_PER_MS } from './media.ts';
import type { SpeechSynthesizer, SpokenWord } from './speech.ts';

type Opened = { speech: SpeechSynthesizer; close(): Promise<void> };

/** What every `SpeechSynthesizer` must do; each adapter's test runs it against itself. */
export function describeSpeechSynthesizer(name: string, open: () => Promise<Opened>): void {
  describe(`${name} as speech`, () => {
    let opened: Opened;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());

    const say = (text: string, voiceId: string | null = null) =>
      collectSpeech(opened.speech.synthesize({ text, voiceId, language: null }));

    it('has voices with ids of their own', () => {
      const ids = opened.speech.voices.map((voice) => voice.id);
      expect(ids.length).toBeGreaterThan(0);
      expect(new Set(ids).size).toBe(ids.length);
    });

    it('takes longer for longer texts', async () => {
      const [short, long] = [
        await say('Hello.'),
        await say('Hello, this is a considerably longer sentence.'),
      ];
      expect(short.length).toBeGreaterThan(0);
      expect(long.length).toBeGreaterThan(short.length * 2);
    });

    it('speaks like the first voice where the voice is unknown or not given', async () => {
      const [first, unknown, none] = [
        await say('Hello.', opened.speech.voices[0]?.id ?? null),
        await say('Hello.', 'nobody'),
        await say('Hello.'),
      ];
      expect([unknown, none]).toEqual([first, first]);
    });

    it.each(['', ' ', '-h', '😀', '{"a":1}', 'line\nbreak', '\u0007', 'x'.repeat(100)])(
      'never fails for what a text holds: %j',
      async (text) => {
        expect(await say(text)).toBeInstanceOf(Int16Array);
      },
    );

    it('does not begin what was called off', async () => {
      const signal = AbortSignal.abort(new Error('called off'));
      const speaking = opened.speech.synthesize({ text: 'Too late.', voiceId: null, language: null, signal });
      await expect(collectSpeech(speaking)).rejects.toThrow('called off');
    });

    it('puts the words it knows at their times, in order and within the speech', async () => {
      const text = 'One two three.';
      const words: SpokenWord[] = [];
      let samples = 0;
      for await (const chunk of opened.speech.synthesize({ text, voiceId: null, language: null })) {
        samples += chunk.samples.length;
        words.push(...(chunk.words ?? []));
      }
      const times = words.flatMap(({ startMs, endMs }) => [startMs, endMs]);
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      expect(times.at(-1) ?? 0).toBeLessThanOrEqual(samples / SAMPLES_PER_MS);
    });
  });
}
