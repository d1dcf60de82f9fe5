import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeObjectStorage } from '#lib/ports/storage-conformance.ts';
import { createFileStorage } from './file.ts';

describeObjectStorage('A folder', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'callwright-storage-'));
  return { storage: createFileStorage(dir), close: () => rm(dir, { recursive: true }) };
});

it('removes at its first use what a killed process was still receiving', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'callwright-storage-'));
  await mkdir(join(dir, '.incoming'));
  // Process ids end at 4,194,304 on Linux: this one cannot be running.
  await writeFile(join(dir, '.incoming', '99999999-abc'), 'half a file');
  await writeFile(join(dir, '.incoming', `${process.pid}-def`), 'still coming');
  await createFileStorage(dir).ready();
  expect(await readdir(join(dir, '.incoming'))).toEqual([`${process.pid}-def`]);
  await rm(dir, { recursive: true });
});

it('removes folders that became empty', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'callwright-storage-'));
  const storage = createFileStorage(dir);
  await storage.put('documents/ws/doc/file', new Uint8Array([1]));
  await storage.delete('documents/ws/doc/file');
  expect(await readdir(dir)).toEqual(['.incoming']);
  await rm(dir, { recursive: true });
});
