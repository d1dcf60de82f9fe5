import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What collections.ts writes each second: how long each pause took, in ms, and bytes in use. */
export type CollectionsLine = {
  minor: number[];
  major: number[];
  marking: number[];
  heapUsed: number;
  arrayBuffers: number;
};

/** Collections of each thread in its last `seconds`, by process and thread. */
export async function summarizeCollections(folder: string, seconds: number) {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).sort();
  return Promise.all(
    files.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      const lines = text
        .trim()
        .split('\n')
        .slice(-seconds)
        .map((line) => JSON.parse(line) as CollectionsLine);
      const spread = (kind: 'minor' | 'major' | 'marking') => {
        const pauses = lines.flatMap((line) => line[kind]);
        const totalMs = pauses.reduce((sum, ms) => sum + ms, 0);
        return {
          perMinute: Math.round((60 * pauses.length) / lines.length),
          msPerMinute: Math.round((60 * totalMs) / lines.length),
          mostMs: Math.round(10 * Math.max(0, ...pauses)) / 10,
        };
      };
      return {
        thread: name.replace('.jsonl', ''),
        seconds: lines.length,
        minor: spread('minor'),
        major: spread('major'),
        marking: spread('marking'),
        heapMb: Math.round((lines.at(-1)?.heapUsed ?? 0) / 1e6),
        arrayBuffersMb: Math.round((lines.at(-1)?.arrayBuffers ?? 0) / 1e6),
      };
    }),
  );
}
