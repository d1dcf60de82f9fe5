import { collectSpeech } from '#lib/media/samples.ts';
import { createFliteSpeech } from './speech-flite.ts';

/** Real speech for tests: all `texts` with one voice, each without the silence around it. */
export async function sayForTest<Text extends string>(
  texts: readonly Text[],
  voiceId = 'slt',
): Promise<Record<Text, Int16Array>> {
  const speech = createFliteSpeech();
  try {
    const said = texts.map(async (text) => {
      const samples = await collectSpeech(speech.synthesize({ text, voiceId, language: null }));
      return [text, withoutEdges(samples)] as const;
    });
    return Object.fromEntries(await Promise.all(said)) as Record<Text, Int16Array>;
  } finally {
    await speech.close();
  }
}

function withoutEdges(samples: Int16Array): Int16Array {
  const isLoud = (sample: number) => Math.abs(sample) > 300;
  return samples.slice(Math.max(0, samples.findIndex(isLoud)), samples.findLastIndex(isLoud) + 1);
}
