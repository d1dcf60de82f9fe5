import { glob, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { z } from 'zod';

const ROOT = new URL('..', import.meta.url);
const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({ optionalDependencies: z.record(z.string(), z.string()).optional() }),
  ),
});

/**
 * The optional packages that a lock file names without an entry of their own, such as the builds of a compiler for other
 * systems. With one missing `npm ci` refuses, and `npm install` leaves it out on the systems that need it.
 */
function missingPackages(text: string): string[] {
  const { packages } = lockFile.parse(JSON.parse(text));
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !lookUpFolders(path).some((folder) => `${folder}node_modules/${name}` in packages))
      .map((name) => `${path} → ${name}`),
  );
}

/** Node looks for a package beside the one that asks and then in each folder above: `a/node_modules/b/`, `a/`, ``. */
function lookUpFolders(path: string): string[] {
  if (path === '') return [''];
  const above = path.lastIndexOf('node_modules/');
  return [`${path}/`, ...lookUpFolders(path.slice(0, Math.max(0, above - 1)))];
}

it('every lock file has an entry for every optional package, so that each system gets its own build', async () => {
  const paths: string[] = [];
  for await (const path of glob('{,bench/*/*/}package-lock.json', {
    cwd: ROOT,
    exclude: ['**/node_modules'],
  }))
    paths.push(path);
  expect(paths).toContain('package-lock.json');
  for (const path of paths)
    expect(missingPackages(await readFile(new URL(path, ROOT), 'utf8')), path).toEqual([]);
});

it('a lock file without the build for one system is found, wherever the package may lie', () => {
  const entry = { optionalDependencies: { '@next/swc-darwin-arm64': '16.4.5', fsevents: '2.3.3' } };
  const lock = (packages: object) => JSON.stringify({ packages });
  expect(missingPackages(lock({ 'node_modules/next': entry, 'node_modules/fsevents': {} }))).toEqual([
    'node_modules/next → @next/swc-darwin-arm64',
  ]);
  const nested = {
    'node_modules/a/node_modules/next': entry,
    'node_modules/a/node_modules/fsevents': {},
    'node_modules/@next/swc-darwin-arm64': {},
  };
  expect(missingPackages(lock(nested))).toEqual([]);
});
