import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compressStaticFiles, staticFolders } from './static-files.ts';

export const ROOT = new URL('..', import.meta.url).pathname;
const SOURCES = [
  'app',
  'components',
  'lib',
  'public',
  'server/static-files.ts',
  'db/schema',
  'instrumentation-client.ts',
  'next.config.ts',
  'postcss.config.mjs',
  'package-lock.json',
];

/**
 * Node reads `next.config.ts` itself: Next's compiler would be loaded for it at each start and stay in memory. It is what
 * the command's `--experimental-next-config-strip-types` sets (docs/decisions/0373).
 */
export const CONFIG_READ_BY_NODE = { __NEXT_NODE_NATIVE_TS_LOADER_ENABLED: 'true' };

/** Whoever starts the service for the first time sees that it goes on. */
const PROGRESS_MS = 15_000;

export const distDir = process.env.NEXT_DIST_DIR ?? '.next';

/**
 * Builds the dashboard and the API routes when there is no build of exactly these sources yet. Its files get the modes
 * that `umask` leaves: one user may build what another one runs.
 */
export async function ensureBuild(say: (line: string) => void, umask: number): Promise<void> {
  const wanted = await fingerprint();
  const marker = join(ROOT, distDir, 'callwright-sources');
  if (existsSync(join(ROOT, distDir, 'BUILD_ID')) && (await readOrEmpty(marker)) === wanted) return;
  say('Building the dashboard, once per version: about a minute …');
  const begun = Date.now();
  const progress = setInterval(
    () => say(`  still building, ${Math.round((Date.now() - begun) / 1_000)} s`),
    PROGRESS_MS,
  );
  await runNextBuild(umask).finally(() => clearInterval(progress));
  await compressStaticFiles(staticFolders(ROOT, distDir), umask);
  await writeFile(marker, wanted);
  await chmod(marker, 0o666 & ~umask);
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256').update(process.version);
  for (const source of SOURCES) {
    for (const path of await filesBelow(join(ROOT, source))) {
      if (/\.test\.tsx?$/.test(path)) continue;
      hash
        .update(path.slice(ROOT.length))
        .update('\0')
        .update(await readFile(path))
        .update('\0');
    }
  }
  return hash.digest('hex');
}

async function filesBelow(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (!entries) return existsSync(path) ? [path] : [];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

async function readOrEmpty(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

async function runNextBuild(umask: number): Promise<void> {
  const next = join(ROOT, 'node_modules/next/dist/bin/next');
  const ownUmask = process.umask(umask);
  const child = spawn(process.execPath, [next, 'build'], {
    cwd: ROOT,
    env: { ...process.env, ...CONFIG_READ_BY_NODE, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  process.umask(ownUmask);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => {
      output += part.toString();
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code !== 0) throw new Error(`The build failed:\n${output}`);
}

// `npm run build`: for images, which are to be ready when they start.
if (import.meta.main) await ensureBuild((line) => void process.stdout.write(`${line}\n`), process.umask());
