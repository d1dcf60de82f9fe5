import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = new URL('..', import.meta.url).pathname;

/** The release: the version of package.json, and the commit it was built from, where that is known. */
export const RELEASE = readRelease(ROOT, process.env.CALLWRIGHT_COMMIT);

export type Release = { version: string; commit: string | null };

/** `commit` is what the image was built from; without it, what the checkout in `root` is at. */
export function readRelease(root: string, commit: string | undefined): Release {
  const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return { version, commit: commit || (readCheckout(root) ?? null) };
}

/** Reads git's own files: the machine that runs the service needs no git. Undefined where there is no checkout. */
function readCheckout(root: string): string | undefined {
  const gitFolder = resolve(root, pointerIn(join(root, '.git'), 'gitdir: ') ?? '.git');
  const head = readText(join(gitFolder, 'HEAD'));
  const branch = pointerIn(join(gitFolder, 'HEAD'), 'ref: ');
  if (branch === undefined) return head;
  // A worktree has its own HEAD, and shares its branches.
  const shared = resolve(gitFolder, readText(join(gitFolder, 'commondir')) ?? '.');
  const packed = readText(join(shared, 'packed-refs'))?.split('\n') ?? [];
  const line = packed.find((each) => each.endsWith(` ${branch}`));
  return readText(join(shared, branch)) ?? line?.split(' ')[0];
}

function pointerIn(path: string, prefix: string): string | undefined {
  const text = readText(path);
  return text?.startsWith(prefix) ? text.slice(prefix.length) : undefined;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}
