import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { DEMO_DIR } from './support/sign-in.ts';

test('what the service has written is for its own user alone', async () => {
  const entries = await readdir(DEMO_DIR, { recursive: true, withFileTypes: true });
  const paths = [DEMO_DIR, ...entries.map((entry) => join(entry.parentPath, entry.name))];
  const modes = await Promise.all(
    paths.map(async (path) => {
      // The database removes files while it runs.
      const found = await stat(path).catch(() => undefined);
      return found && (found.mode & 0o077) !== 0 ? `${path} ${(found.mode & 0o777).toString(8)}` : undefined;
    }),
  );
  expect(entries.map((entry) => entry.name)).toEqual(expect.arrayContaining(['db', 'storage', 'demo.json']));
  expect(modes.filter((mode) => mode !== undefined)).toEqual([]);
});
