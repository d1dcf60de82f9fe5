import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SpeechSynthesizer } from './speech.ts';

type Opened = { speech: SpeechSynthesizer; close(): Promise<void> };

/** What every `SpeechSynthesizer` must do; each adapter's test runs it against itself. */
export function describeSpeechSynthesizer(name: string, open: () => Promise<Opened>): void {
  describe(`${name} as speech`, () => {
    let opened: Opened;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());

    const say = async (text: string, voiceId: string | null = null) => {
      const audio = await opened.speech.synthesize({ text, voiceId, language: null });
      expect(audio.sampleRateHz).toBe(16_000);
      return audio.samples;
    };

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

    it.each(['', ' ', '-h', '😀', '{"a":1}', 'line\nbreak', '\u0007', 'x'.repeat(300)])(
      'never fails for what a text holds: %j',
      async (text) => {
        expect(await say(text)).toBeInstanceOf(Int16Array);
      },
    );

    it('does not begin what was called off', async () => {
      const signal = AbortSignal.abort(new Error('called off'));
      const speaking = opened.speech.synthesize({ text: 'Too late.', voiceId: null, language: null, signal });
      await expect(speaking).rejects.toThrow('called off');
    });
  });
}
