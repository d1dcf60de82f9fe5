/**
 * Requests a second of the API over a million conversations on PostgreSQL: a page of 50 and one conversation, beside the
 * health check in the same run, which passes the same path and asks no database; each a second in turn.
 *
 * Beside them the processor time that the service itself spends on a request. On a machine with cores to spare it decides
 * how many a second there are; on a busy one, where the database and this client wait for the same cores, it stays.
 *
 *   node bench/million/http.ts [--port=4350] [--count=1000000] [--rounds=10] [--database=URL]
 *
 * `--database`: one that bench/million/data.ts has filled. Needs a build (`npm start` once).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '../median.ts';
import { processorMsOf } from '../processor-time.ts';
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

/** Of the thread that answers, and of all: the others collect what it leaves behind. */
function worked(): { thread: number; all: number } {
  if (process.platform !== 'linux') return { thread: Number.NaN, all: Number.NaN };
  const threads = readdirSync(`/proc/${service.pid}/task`).map((id) => `${service.pid}/task/${id}`);
  const all = threads.reduce((sum, thread) => sum + processorMsOf(thread), 0);
  return { thread: processorMsOf(`${service.pid}/task/${service.pid}`), all };
}

type Round = { perSecond: number; threadMs: number; allMs: number };

async function measure(one: Asked): Promise<Round> {
  const before = worked();
  const { perSecond, answers } = await askFor({ port, ...one }, { ms: 1_000 });
  const { thread, all } = worked();
  return { perSecond, threadMs: (thread - before.thread) / answers, allMs: (all - before.all) / answers };
}

/** The median of the ratios of each round to the floor's in the same round. */
function ratioOf(own: Round[], floor: Round[], of: (own: Round, floor: Round) => number): string {
  return median(own.flatMap((round, at) => (floor[at] ? [of(round, floor[at])] : []))).toFixed(2);
}

try {
  await untilReady(service, port);
  const asked = ASKED.filter(({ name }) => options.only === undefined || name.startsWith(options.only));
  for (const one of asked) await askFor({ port, ...one }, { ms: 3_000 });
  const rounds = asked.map(() => new Array<Round>());
  for (let count = 0; count < Number(options.rounds); count += 1) {
    for (const [index, one] of asked.entries()) rounds[index]?.push(await measure(one));
  }
  const [floor = []] = rounds;
  for (const [index, { name }] of asked.entries()) {
    const own = rounds[index] ?? [];
    const rates = ratioOf(own, floor, (round, least) => round.perSecond / least.perSecond);
    const work = ratioOf(own, floor, (round, least) => least.threadMs / round.threadMs);
    const middle = (of: (round: Round) => number) => median(own.map(of)).toFixed(2);
    console.log(
      `${name}: ${median(own.map((round) => round.perSecond)).toFixed(0)} a second, ${rates} of the ${asked[0]?.name}; by the ` +
        `processor time of the thread that answers ${work} (${middle(({ threadMs }) => threadMs)} ms, ${middle(({ allMs }) => allMs)} with the others)`,
    );
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
