import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const MB = 1024 * 1024;
const [LEAST_MB, MOST_MB] = [32, 128];

/**
 * The memory for pages of the embedded database in MB, the smallest power of two that holds all its tables and indexes,
 * from 32 to 128. PGlite fills all of it with zeros when it opens, so that what a small database never uses is taken all
 * the same (docs/decisions/0359). One that grows gets more with the next start.
 */
export async function sharedBuffersMb(dataDir: string): Promise<number> {
  const base = join(dataDir, 'base');
  const entries = await readdir(base, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map((file) => stat(join(file.parentPath, file.name))));
  const sizeMb = sizes.reduce((sum, { size }) => sum + size, 0) / MB;
  let buffersMb = LEAST_MB;
  while (buffersMb < Math.min(sizeMb, MOST_MB)) buffersMb *= 2;
  return buffersMb;
}
