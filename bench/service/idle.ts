/**
 * What the service takes before anybody calls: seconds until it answers, and memory of each of its processes.
 *
 *   node bench/service/idle.ts [--port=4360] [--seconds=90] [--rounds=4]
 *
 * A demo workspace on the embedded database, in one process with its process of conversations. Memory is what is resident and,
 * as processes share code, the part of each that is its own (`Pss`); right after the start, after `--rounds` in which somebody
 * opens 45 pages and a program asks for lists, conversations and a call, and when nobody has asked for `--seconds`. Needs
 * Linux and a build (`npm start` once). The floor of the start is Node itself.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { untilReady } from '../../scripts/until-ready.ts';
import { findPages, signInToDemo, useOnce } from './use.ts';

const { values: options } = parseArgs({
  options: {
    port: { type: 'string', default: '4360' },
    seconds: { type: 'string', default: '90' },
    rounds: { type: 'string', default: '4' },
  },
});
const port = Number(options.port);
const folder = await mkdtemp(join(tmpdir(), 'callwright-idle-'));

const nodeStartedAt = performance.now();
execFileSync(process.execPath, ['-e', '']);
const nodeMs = performance.now() - nodeStartedAt;

const startedAt = performance.now();
const service = spawn(process.execPath, ['server/start.ts'], {
  stdio: ['ignore', 'ignore', 'inherit'],
  env: { ...process.env, NODE_ENV: 'production', PORT: String(port), DATA_DIR: folder, LOG_LEVEL: 'error' },
});

type Memory = { pid: number; name: string; residentMb: number; ownMb: number };

async function memoryOf(pid: number, name: string): Promise<Memory> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const mb = (text: string, field: string) =>
    Math.round(Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? Number.NaN) / 1024);
  return { pid, name, residentMb: mb(status, 'VmRSS'), ownMb: mb(rollup, 'Pss') };
}

async function report(when: string): Promise<void> {
  const pid = service.pid ?? 0;
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'))
    .trim()
    .split(' ')
    .filter(Boolean);
  const all = await Promise.all([
    memoryOf(pid, 'service'),
    ...children.map((child) => memoryOf(Number(child), 'conversations')),
  ]);
  const total = all.reduce((sum, one) => sum + one.residentMb, 0);
  const each = all.map((one) => `${one.name} ${one.residentMb} (own ${one.ownMb})`).join(', ');
  console.log(`memory ${when}: ${total} MB resident: ${each}`);
}

try {
  await untilReady(service, port);
  const tookMs = performance.now() - startedAt;
  console.log(
    `start: answers after ${(tookMs / 1_000).toFixed(1)} s, ${(tookMs / nodeMs).toFixed(0)} times what Node takes to do nothing`,
  );
  await delay(5_000);
  await report('after the start');
  const user = await signInToDemo(`http://localhost:${port}`, folder);
  const pages = await findPages(user, 45);
  let requests = 0;
  for (let round = 0; round < Number(options.rounds); round += 1) requests += await useOnce(user, pages);
  await report(`after ${requests} requests`);
  await delay(Number(options.seconds) * 1_000);
  await report(`after ${options.seconds} s of rest`);
} finally {
  if (service.exitCode === null) {
    service.kill('SIGTERM');
    await once(service, 'exit');
  }
  await rm(folder, { recursive: true, force: true });
}
