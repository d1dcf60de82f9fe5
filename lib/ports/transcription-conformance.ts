import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ListeningOptions } from './speech.ts';
import type { Transcriber, TranscriptionStream } from './transcription.ts';

/** What stands behind a transcriber in its test. It hears a word for each 100 ms of sound. */
export type TranscriptionProvider = {
  transcriber: Transcriber;
  /** `hangs`: takes everything and answers nothing. */
  behave(manner: 'works' | 'fails' | 'hangs'): void;
  /** What it was told about the words to expect, as one text. */
  told(): string;
  close(): Promise<void>;
};

const LISTENING: ListeningOptions = { hints: [], language: null, isMultilingual: false, hasBargeIn: true };

/** 200 ms of sound is two words. */
const sound = (ms: number) =>
  Int16Array.from({ length: ms * 16 }, (_, index) => (Math.floor(index / 40) % 2 === 0 ? 9_000 : -9_000));
const silence = (ms: number) => new Int16Array(ms * 16);
const countWords = (text: string) => text.split(' ').filter((word) => word === 'word').length;

/** What every `Transcriber` must do; each adapter's test runs it against itself. */
export function describeTranscriber(name: string, open: () => Promise<TranscriptionProvider>): void {
  describe(`${name} as transcription`, () => {
    let provider: TranscriptionProvider;
    let call: AbortController;
    beforeEach(async () => {
      provider = await open();
      call = new AbortController();
    });
    afterEach(async () => {
      call.abort(new Error('the call is over'));
      await provider.close();
    });

    const stream = (listening: Partial<ListeningOptions> = {}): TranscriptionStream =>
      provider.transcriber.open({ ...LISTENING, ...listening, signal: call.signal });
    const wordsOf = async (stretch: ReturnType<TranscriptionStream['begin']>) => {
      const { text } = await stretch.transcribe(new AbortController().signal);
      return countWords(text);
    };

    it('gives the words of what was written, however it was cut', async () => {
      const stretch = stream().begin(() => undefined);
      stretch.write(silence(240));
      for (let piece = 0; piece < 25; piece += 1) stretch.write(sound(20));
      stretch.write(silence(200));
      expect(await wordsOf(stretch)).toBe(5);
      stretch.end();
    });

    it('gives no words where there are none', async () => {
      const stretch = stream().begin(() => undefined);
      stretch.write(silence(600));
      expect((await stretch.transcribe(new AbortController().signal)).text).toBe('');
    });

    it('gives the words of the whole when the person went on after the question', async () => {
      const stretch = stream().begin(() => undefined);
      stretch.write(sound(300));
      stretch.write(silence(200));
      const first = new AbortController();
      const taken = stretch.transcribe(first.signal);
      first.abort(new Error('the person goes on'));
      await expect(taken).rejects.toThrow('the person goes on');
      stretch.write(sound(400));
      stretch.write(silence(200));
      expect(await wordsOf(stretch)).toBe(7);
    });

    it('keeps stretches apart', async () => {
      const calls = stream();
      const first = calls.begin(() => undefined);
      first.write(sound(300));
      first.write(silence(100));
      expect(await wordsOf(first)).toBe(3);
      first.end();
      const dropped = calls.begin(() => undefined);
      dropped.write(sound(600));
      const taken = dropped.transcribe(AbortSignal.timeout(0)).catch(() => 'dropped');
      const last = calls.begin(() => undefined);
      last.write(sound(200));
      last.write(silence(100));
      expect(await wordsOf(last)).toBe(2);
      await taken;
    });

    it('keeps calls apart', async () => {
      const [one, other] = [stream().begin(() => undefined), stream().begin(() => undefined)];
      one.write(sound(300));
      other.write(sound(500));
      expect(await Promise.all([wordsOf(one), wordsOf(other)])).toEqual([3, 5]);
    });

    it('tells the provider which words to expect, and in which language', async () => {
      const hinted = stream({ hints: ['Alpha Dental', 'Dr. Weiß'], language: 'de-AT' }).begin(
        () => undefined,
      );
      hinted.write(sound(300));
      await wordsOf(hinted);
      expect(provider.told()).toContain('Alpha Dental');
      expect(provider.told()).toContain('Dr. Weiß');
      expect(provider.told()).toMatch(/"language":"de"/);
    });

    it('names no language to the provider where the person may change it', async () => {
      const free = stream({ language: 'de-AT', isMultilingual: true }).begin(() => undefined);
      free.write(sound(300));
      await wordsOf(free);
      expect(provider.told()).not.toContain('"language"');
    });

    it('says that the provider failed, and works again with it', async () => {
      const calls = stream();
      provider.behave('fails');
      const stretch = calls.begin(() => undefined);
      stretch.write(sound(300));
      await expect(wordsOf(stretch)).rejects.toMatchObject({ code: 'PROVIDER_FAILED' });
      provider.behave('works');
      expect(await wordsOf(stretch)).toBe(3);
    });

    it('can be asked again where the provider hung', async () => {
      const stretch = stream().begin(() => undefined);
      provider.behave('hangs');
      stretch.write(sound(400));
      const late = new AbortController();
      const hung = stretch.transcribe(late.signal);
      late.abort(new Error('too late'));
      await expect(hung).rejects.toThrow('too late');
      provider.behave('works');
      expect(await wordsOf(stretch)).toBe(4);
    });

    it('answers a second question where the first one hangs', async () => {
      const stretch = stream().begin(() => undefined);
      provider.behave('hangs');
      stretch.write(sound(400));
      const late = new AbortController();
      const hung = stretch.transcribe(late.signal);
      provider.behave('works');
      expect(await wordsOf(stretch)).toBe(4);
      late.abort(new Error('answered'));
      await hung.catch(() => undefined);
    });

    it('gives up what is asked when the call is over', async () => {
      const stretch = stream().begin(() => undefined);
      provider.behave('hangs');
      stretch.write(sound(300));
      const asked = wordsOf(stretch);
      call.abort(new Error('the call is over'));
      await expect(asked).rejects.toThrow('the call is over');
      await expect(wordsOf(stretch)).rejects.toThrow();
    });
  });
}
