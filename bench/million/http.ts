/**
 * Requests a second of the API over a million conversations on PostgreSQL: a page of 50 and one conversation, beside the
 * health check in the same run, which passes the same path and asks no database; each a second in turn.
 *
 *   node bench/million/http.ts [--port=4350] [--count=1000000] [--rounds=10] [--database=URL]
 *
 * `--database`: one that bench/million/data.ts has filled. Needs a build (`npm start` once).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LARGE } from './data.ts';
import { askFor } from './load.ts';
import { openMillion } from './open.ts';
import { untilReady } from '../../scripts/until-ready.ts';

const { values: options } = parseArgs({
  options: {
    port: { type: 'string', default: '4350' },
    count: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '10' },
    database: { type: 'string' },
    /** A folder for a profile of the service's processor time (`node --cpu-prof`). */
    profile: { type: 'string' },
    only: { type: 'string' },
  },
});
const port = Number(options.port);
const million = await openMillion({ database: options.database, count: Number(options.count) });
const folder = await mkdtemp(join(tmpdir(), 'callwright-million-'));
const profiling = options.profile ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] : [];
const service = spawn(process.execPath, [...profiling, 'server/start.ts'], {
  stdio: ['ignore', 'ignore', 'inherit'],
  env: {
    ...process.env,
    NODE_ENV: 'production',
    PORT: String(port),
    DATA_DIR: folder,
    DATABASE_URL: million.url,
    RATE_LIMIT_PER_SECOND: '1000000',
  },
});

type Asked = { name: string; path: string; key?: string };
const ASKED: Asked[] = [
  { name: 'health check', path: '/api/health' },
  { name: 'page of 50', path: '/api/conversations?limit=50', key: LARGE.key },
  { name: 'one conversation', path: `/api/conversation/${million.conversationId}`, key: LARGE.key },
];

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

try {
  await untilReady(service, port);
  const asked = ASKED.filter(({ name }) => options.only === undefined || name.startsWith(options.only));
  for (const one of asked) await askFor({ port, ...one }, { ms: 3_000 });
  const rates = asked.map(() => new Array<number>());
  for (let round = 0; round < Number(options.rounds); round += 1) {
    for (const [index, one] of asked.entries())
      rates[index]?.push((await askFor({ port, ...one }, { ms: 1_000 })).perSecond);
  }
  const floor = rates[0] ?? [];
  for (const [index, { name }] of asked.entries()) {
    const own = rates[index] ?? [];
    const ratio = median(own.map((rate, round) => rate / (floor[round] ?? Number.NaN)));
    console.log(`${name}: ${median(own).toFixed(0)} a second, ${ratio.toFixed(2)} of the ${asked[0]?.name}`);
  }
  console.log(`load average ${(loadavg()[0] ?? 0).toFixed(1)}`);
} finally {
  if (service.exitCode === null) {
    service.kill('SIGTERM');
    await once(service, 'exit');
  }
  await rm(folder, { recursive: true, force: true });
  await million.close();
}
