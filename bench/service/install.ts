/**
 * What `npm install` takes: seconds, processor seconds and megabytes, with an empty cache and with a full one; beside it the
 * framework of the dashboard alone, installed in the same run in turn.
 *
 *   node bench/service/install.ts [--rounds=3]
 *
 * Both are installed in throwaway folders, each with a cache of its own; nothing of the checkout changes. Seconds contain
 * what the network takes, processor seconds do not. Needs bash.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '../median.ts';

type Manifest = { dependencies: Record<string, string> };
type Took = { seconds: number; processorSeconds: number };

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } });
const ROOT = new URL('../..', import.meta.url).pathname;
const folder = await mkdtemp(join(tmpdir(), 'callwright-install-'));

function install(cwd: string, cache: string): Took {
  const script = 'TIMEFORMAT="%U %S"; time npm install --cache "$0"';
  const startedAt = performance.now();
  const { status, stderr } = spawnSync('bash', ['-c', script, cache], { cwd, encoding: 'utf8' });
  const seconds = (performance.now() - startedAt) / 1_000;
  if (status !== 0) throw new Error(`npm install failed:\n${stderr}`);
  const [user = 0, system = 0] = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number);
  return { seconds, processorSeconds: user + system };
}

/** A folder with what npm reads of the whole service, or of its framework alone. */
async function prepare(name: string, round: number): Promise<string> {
  const cwd = join(folder, `${name}-${round}`);
  await mkdir(cwd);
  await copyFile(join(ROOT, '.npmrc'), join(cwd, '.npmrc'));
  if (name === 'service') {
    for (const file of ['package.json', 'package-lock.json'])
      await copyFile(join(ROOT, file), join(cwd, file));
    return cwd;
  }
  const { dependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as Manifest;
  const wanted = ['next', 'react', 'react-dom'].map((each) => [each, dependencies[each]]);
  await writeFile(join(cwd, 'package.json'), JSON.stringify({ dependencies: Object.fromEntries(wanted) }));
  return cwd;
}

try {
  const took: Record<string, Took[]> = {};
  const sizes: Record<string, number> = {};
  for (let round = 0; round < Number(options.rounds); round += 1) {
    for (const name of ['service', 'framework']) {
      const cwd = await prepare(name, round);
      const cache = join(folder, `cache-${name}-${round}`);
      (took[`${name}, empty cache`] ??= []).push(install(cwd, cache));
      sizes[name] = Number(
        execFileSync('du', ['-sm', join(cwd, 'node_modules')], { encoding: 'utf8' }).split('\t')[0],
      );
      await rm(join(cwd, 'node_modules'), { recursive: true });
      (took[`${name}, full cache`] ??= []).push(install(cwd, cache));
      await Promise.all([cwd, cache].map((path) => rm(path, { recursive: true })));
    }
  }
  for (const [name, times] of Object.entries(took)) {
    const [seconds, processor] = [
      median(times.map((time) => time.seconds)),
      median(times.map((time) => time.processorSeconds)),
    ];
    console.log(`${name}: ${seconds.toFixed(1)} s, ${processor.toFixed(1)} s of processor time`);
  }
  const ratio = (sizes.service ?? Number.NaN) / (sizes.framework ?? Number.NaN);
  console.log(`installed: ${sizes.service} MB, ${ratio.toFixed(1)} times the framework's ${sizes.framework}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
