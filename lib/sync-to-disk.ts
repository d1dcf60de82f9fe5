import { open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const AT_ONCE = 16;

/** Brings all files and folders below a path to the disk, and the path itself. */
export async function syncTree(path: string): Promise<void> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
  const next = paths.values();
  const work = async () => {
    for (const one of next) await syncPath(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await syncPath(path);
}

/** Waits until a file, or a folder's list of names, is on the disk. */
export async function syncPath(path: string): Promise<void> {
  let file;
  try {
    file = await open(path, 'r');
    await file.sync();
  } catch (error) {
    // Windows opens no folders, and keeps their names by itself.
    if (process.platform === 'win32') return;
    throw error;
  } finally {
    await file?.close();
  }
}

/** Brings the names of folders to the disk that `mkdir` has made: from the first of them, which it answers with, to the last. */
export async function syncMadeFolders(first: string | undefined, last: string): Promise<void> {
  if (first === undefined) return;
  for (let made = last; made.length >= first.length; made = dirname(made)) await syncPath(dirname(made));
}
