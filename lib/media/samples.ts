import type { SpeechChunk } from '#lib/ports/speech.ts';

/** All samples in one piece; where there is only one, that one itself. */
export function joinSamples(parts: readonly Int16Array[]): Int16Array {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  const joined = new Int16Array(parts.reduce((total, part) => total + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** Speech as a whole, once the last of it is made. */
export async function collectSpeech(chunks: AsyncIterable<SpeechChunk>): Promise<Int16Array> {
  const parts: Int16Array[] = [];
  for await (const { samples } of chunks) parts.push(samples);
  return joinSamples(parts);
}
