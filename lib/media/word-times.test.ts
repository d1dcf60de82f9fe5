import { afterAll, describe, expect, it } from 'vitest';
import { createFliteSpeech } from '#lib/adapters/models/local/speech-flite.ts';
import { collectSpeech } from './samples.ts';
import { estimateWordStarts, shapeOf, shapeUntil, wordStartsOf } from './word-times.ts';

const speech = createFliteSpeech();
afterAll(() => speech.close());

/** Stretches of sound and silence, in turn; milliseconds, a sound first. */
function soundOf(...stretchesMs: number[]): Int16Array {
  return Int16Array.from(
    stretchesMs.flatMap((ms, index) => Array.from({ length: ms * 16 }, () => (index % 2 === 0 ? 9_000 : 0))),
  );
}

describe('the words of a sound', () => {
  it('begin after the pauses that the punctuation promises', () => {
    const [hello, there, how, are, you] = estimateWordStarts(
      'Hello there, how are you',
      shapeOf(soundOf(900, 300, 700)),
    );
    expect([hello, how]).toEqual([0, 1_200]);
    expect(there).toBeGreaterThan(300);
    expect(there).toBeLessThan(700);
    expect([are ?? 0, you ?? 0].every((startMs) => startMs > 1_200 && startMs < 1_900)).toBe(true);
  });

  it('begin with the sound, not with the silence in front of it', () => {
    expect(estimateWordStarts('Yes.', shapeOf(soundOf(0, 250, 400, 300)))).toEqual([250]);
  });

  it('are as many as stand between blanks, in order, whatever the text and the sound are', () => {
    for (const text of ['One', 'a , b ; c .', '— 5 % of $12.50, at 9:30!', 'Größe und Maß … ja']) {
      for (const sound of [soundOf(500), soundOf(0, 400), soundOf(), soundOf(100, 200, 100, 200, 100)]) {
        const starts = estimateWordStarts(text, shapeOf(sound));
        expect(starts).toHaveLength(text.split(' ').length);
        expect(starts).toEqual(starts.toSorted((one, other) => one - other));
      }
    }
    expect(estimateWordStarts('', shapeOf(soundOf(500)))).toEqual([]);
  });

  it('of a text that was cut lie in what was heard', () => {
    const whole = shapeOf(soundOf(900, 300, 700));
    const starts = estimateWordStarts('Hello there,', shapeUntil(whole, 900));
    expect(starts.every((startMs) => startMs < 900)).toBe(true);
  });

  it('of a local voice begin where the sound does after a comma', async () => {
    const text = 'We are open from eight until six, and on Fridays until one.';
    const samples = await collectSpeech(speech.synthesize({ text, voiceId: 'slt', language: 'en-US' }));
    const starts = estimateWordStarts(text, shapeOf(samples));
    // Its own phones, by `flite -psdur`: "and" begins at 2.13 s, "Fridays" at 2.49 s, "one" at 3.38 s.
    const offBy = (word: number, atMs: number) => Math.abs((starts[word] ?? 0) - atMs);
    expect(offBy(7, 2_130)).toBeLessThan(60);
    expect(offBy(9, 2_493)).toBeLessThan(150);
    expect(offBy(11, 3_382)).toBeLessThan(150);
  });
});

describe('times that a provider tells', () => {
  const told = (text: string, startMs: number) => ({ text, startMs, endMs: startMs + 90 });

  it('are given to the words of the text, with what lies between them for words that it wrote otherwise', () => {
    const spoken = [
      told('It', 0),
      told('costs', 200),
      told('five', 400),
      told('dollars', 600),
      told('today', 900),
    ];
    expect(wordStartsOf('It costs $5 today.', spoken)).toEqual([0, 200, 550, 900]);
  });

  it('are none where nothing of them is in the text', () => {
    expect(wordStartsOf('Ja, genau.', [told('yes', 0)])).toBeUndefined();
    expect(wordStartsOf('Ja.', [])).toBeUndefined();
  });
});
