import { writeFile } from 'node:fs/promises';
import { createFliteSpeech } from '#lib/adapters/models/local/speech-flite.ts';
import { withoutEdges } from '#lib/adapters/models/local/testing.ts';
import { collectSpeech } from '#lib/media/samples.ts';
import { littleEndian, wavHeader } from '#lib/media/wav.ts';
import { SAMPLES_PER_MS } from '#lib/ports/media.ts';

/** What a microphone hears: sentences, each after so much silence. */
export type Spoken = { afterMs: number; text: string }[];

/** Writes a WAV file in which a person says these sentences, for Chromium's microphone. Gives the sound of each. */
export async function writeSpokenFile(path: string, spoken: Spoken): Promise<Int16Array[]> {
  const voice = createFliteSpeech();
  const sentences = await Promise.all(
    spoken.map(({ text }) =>
      collectSpeech(voice.synthesize({ text, voiceId: 'rms', language: null })).then(withoutEdges),
    ),
  );
  await voice.close();
  const parts = spoken.flatMap(({ afterMs }, index) => [
    new Int16Array(afterMs * SAMPLES_PER_MS),
    sentences[index] ?? new Int16Array(0),
  ]);
  const sampleCount = parts.reduce((sum, { length }) => sum + length, 0);
  await writeFile(path, Buffer.concat([wavHeader({ sampleCount, channels: 1 }), ...parts.map(littleEndian)]));
  return sentences;
}
