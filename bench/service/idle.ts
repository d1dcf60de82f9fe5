/**
 * What the service takes before anybody calls: seconds until it answers, and memory of each of its processes.
 *
 *   node bench/service/idle.ts [--port=4360] [--seconds=60] [--pages=300]
 *
 * A demo workspace on the embedded database, in one process with its process of conversations. Memory is what is resident and,
 * as processes share code, the part of each that is its own (`Pss`); right after the start, after `--pages` rounds of requests,
 * and when nobody has asked for `--seconds`. Needs Linux and a build (`npm start` once). The floor of the start is Node itself.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { untilReady } from '../../scripts/until-ready.ts';

const { values: options } = parseArgs({
  options: {
    port: { type: 'string', default: '4360' },
    seconds: { type: 'string', default: '60' },
    pages: { type: 'string', default: '300' },
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
  for (let round = 0; round < Number(options.pages); round += 1) {
    for (const path of ['/sign-in', '/api/health', '/docs', '/api/openapi.json'])
      await (await fetch(`http://127.0.0.1:${port}${path}`)).arrayBuffer();
    await delay(10);
  }
  await report(`after ${Number(options.pages) * 4} requests`);
  await delay(Number(options.seconds) * 1_000);
  await report(`after ${options.seconds} s of rest`);
} finally {
  if (service.exitCode === null) {
    service.kill('SIGTERM');
    await once(service, 'exit');
  }
  await rm(folder, { recursive: true, force: true });
}
