import { collectSpeech } from '#lib/media/samples.ts';
import { createFliteSpeech } from './speech-flite.ts';

/** What was said in this process: files of tests share it, as a voice takes a second to be ready. */
const sayings = new Map<string, Promise<Int16Array>>();

/** Real speech for tests: all `texts` with one voice, each without the silence around it. */
export async function sayForTest<Text extends string>(
  texts: readonly Text[],
  voiceId = 'slt',
): Promise<Record<Text, Int16Array>> {
  const missing = texts.filter((text) => !sayings.has(`${voiceId} ${text}`));
  if (missing.length > 0) await sayNow(missing, voiceId);
  const said = texts.map(async (text) => [text, (await sayings.get(`${voiceId} ${text}`))?.slice()] as const);
  return Object.fromEntries(await Promise.all(said)) as Record<Text, Int16Array>;
}

async function sayNow(texts: readonly string[], voiceId: string): Promise<void> {
  const speech = createFliteSpeech();
  const said = texts.map((text) => {
    const sound = collectSpeech(speech.synthesize({ text, voiceId, language: null })).then(withoutEdges);
    sayings.set(`${voiceId} ${text}`, sound);
    return sound;
  });
  await Promise.allSettled(said);
  await speech.close();
}

/** Speech without the silence around it. */
export function withoutEdges(samples: Int16Array): Int16Array {
  const isLoud = (sample: number) => Math.abs(sample) > 300;
  return samples.slice(Math.max(0, samples.findIndex(isLoud)), samples.findLastIndex(isLoud) + 1);
}
