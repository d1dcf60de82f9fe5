import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const OTHERS = 0o077;

/** How many entries were open to other users and are not any more, and how many could not be closed. */
export type ClosedEntries = { closed: number; failed: number };

/**
 * Makes `folder` where it is missing, and takes it and everything below from all users but its owner: calls and
 * documents are nobody else's, and an older release wrote them for everybody. Links below it are not followed.
 * Synchronous, because nothing else may begin before.
 */
export function makePrivate(folder: string): ClosedEntries {
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  const counts = { closed: 0, failed: 0 };
  closeFolder(folder, counts);
  return counts;
}

function closeFolder(folder: string, counts: ClosedEntries): void {
  // Before its content, so that the rest is out of reach while it is looked through.
  closeToOthers(folder, PRIVATE_FOLDER, counts);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) closeFolder(path, counts);
    else if (entry.isFile()) closeToOthers(path, PRIVATE_FILE, counts);
  }
}

function closeToOthers(path: string, mode: number, counts: ClosedEntries): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  // A link can only be the folder itself, which may lie elsewhere; what counts is the mode of what it leads to.
  if (!found || (!found.isSymbolicLink() && (found.mode & OTHERS) === 0)) return;
  try {
    chmodSync(path, mode);
    counts.closed += 1;
  } catch (error) {
    // Another process of the service may have deleted it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') counts.failed += 1;
  }
}
