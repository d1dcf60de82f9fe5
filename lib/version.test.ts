import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readRelease, RELEASE } from './version.ts';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
let root = '';

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'callwright-release-'));
  await write('package.json', '{ "version": "3.2.1" }');
});
afterEach(() => rm(root, { recursive: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

const commitOf = (given?: string) => readRelease(root, given).commit;

it('is the version of package.json, without a commit where there is no checkout', async () => {
  expect(readRelease(root, undefined)).toEqual({ version: '3.2.1', commit: null });
  expect(readRelease(root, '')).toEqual({ version: '3.2.1', commit: null });
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  expect(RELEASE.version).toBe(version);
});

it('has the commit that the image was built from', () => {
  expect(commitOf('abc123')).toBe('abc123');
});

it('finds the commit of a branch, of a packed branch and of none', async () => {
  await write('.git/HEAD', 'ref: refs/heads/main\n');
  await write('.git/packed-refs', `# pack-refs with: peeled\n${'f'.repeat(40)} refs/heads/xmain\n`);
  expect(commitOf()).toBeNull();
  await write(
    '.git/packed-refs',
    `# pack-refs with: peeled\n${COMMIT} refs/heads/main\n^${'e'.repeat(40)}\n`,
  );
  expect(commitOf()).toBe(COMMIT);
  await write('.git/refs/heads/main', `${'d'.repeat(40)}\n`);
  expect(commitOf()).toBe('d'.repeat(40));
  await write('.git/HEAD', `${COMMIT}\n`);
  expect(commitOf()).toBe(COMMIT);
});

it('finds the commit of a worktree, whose branches lie with those of its repository', async () => {
  await write('.git', 'gitdir: elsewhere/worktrees/one\n');
  await write('elsewhere/worktrees/one/HEAD', 'ref: refs/heads/side\n');
  await write('elsewhere/worktrees/one/commondir', '../..\n');
  await write('elsewhere/refs/heads/side', `${COMMIT}\n`);
  expect(commitOf()).toBe(COMMIT);
});
