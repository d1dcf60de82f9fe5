import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makePrivate } from './private-folder.ts';

let outer: string;
beforeEach(async () => {
  outer = await mkdtemp(join(tmpdir(), 'callwright-private-'));
});
afterEach(() => rm(outer, { recursive: true, force: true }));

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

test('a folder that is missing is made for its owner alone', async () => {
  expect(makePrivate(join(outer, 'new', 'data'))).toEqual({ closed: 0, failed: 0 });
  expect(await modeOf(join(outer, 'new', 'data'))).toBe('700');
});

test('a folder of an older release is taken from everybody else, with all that is in it', async () => {
  const data = join(outer, 'data');
  await mkdir(join(data, 'storage/recordings'), { recursive: true });
  await writeFile(join(data, 'storage/recordings/call.wav'), 'sound');
  await writeFile(join(data, 'rows'), 'rows');
  await chmod(join(data, 'rows'), 0o666);
  await chmod(join(data, 'storage'), 0o777);
  expect(makePrivate(data).failed).toBe(0);
  for (const folder of ['', 'storage', 'storage/recordings']) {
    expect([folder, await modeOf(join(data, folder))]).toEqual([folder, '700']);
  }
  for (const file of ['rows', 'storage/recordings/call.wav']) {
    expect([file, await modeOf(join(data, file))]).toEqual([file, '600']);
  }
  expect(makePrivate(data)).toEqual({ closed: 0, failed: 0 });
});

test('what a link in it leads to is left as it is, and a folder that is a link is closed where it lies', async () => {
  const real = join(outer, 'real');
  await mkdir(real, { mode: 0o755 });
  await writeFile(join(outer, 'shared'), 'for everybody', { mode: 0o644 });
  await symlink(join(outer, 'shared'), join(real, 'link'));
  await symlink(real, join(outer, 'data'));
  makePrivate(join(outer, 'data'));
  expect(await modeOf(real)).toBe('700');
  expect(await modeOf(join(outer, 'shared'))).toBe('644');
});
