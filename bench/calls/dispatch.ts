/**
 * How many calls a second are claimed, and how many are ended whose far end is busy, with a short and with a long queue
 * over a million ended conversations.
 *
 *   node bench/calls/dispatch.ts [--embedded] [--ended=1000000] [--depths=100,10000] [--seconds=10] [--webhooks] [--delayed=0]
 *
 * `--delayed`: how many more calls wait for their calling hours meanwhile.
 *
 * Two worker processes on a throwaway PostgreSQL server, or one on the embedded database. The queue is kept at its depth
 * while it is measured. Other work on the machine makes everything slower, but what a call takes of the processors stays
 * nearly the same: it is printed too.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'drizzle-orm';
import { type Database, openDatabase, queryRows } from '#db/client.ts';
import { startPostgres } from '../../scripts/postgres.ts';
import { addDelayedCalls, addEndedCalls, addWaitingCalls, endOpenCalls, seedWorkspaces } from './backlog.ts';
import { type Measured, openWorkerDependencies, startWorker, type Worker } from './dispatch-worker.ts';

const WORKER = new URL('./dispatch-worker.ts', import.meta.url).pathname;
const FEED_EVERY_MS = 20;
const WARM_UP_MS = 3_000;

const { values: options } = parseArgs({
  options: {
    embedded: { type: 'boolean', default: false },
    ended: { type: 'string', default: '1000000' },
    depths: { type: 'string', default: '100,10000' },
    seconds: { type: 'string', default: '10' },
    webhooks: { type: 'boolean', default: false },
    delayed: { type: 'string', default: '0' },
    only: { type: 'string' },
  },
});
const depths = options.depths.split(',').map(Number);
const kinds: Measured[] =
  options.only === 'claims' || options.only === 'calls' ? [options.only] : ['claims', 'calls'];
const folder = await mkdtemp(join(tmpdir(), 'callwright-dispatch-'));
const fed = { count: 0 };

type Figures = { rate: number; workerMs: number; databaseMs: number };

/** What the workers did a second after they were warm, with `depth` calls waiting all the time. */
async function measure(db: Database, workers: Worker[], depth: number, since: Date): Promise<Figures> {
  const done = () => workers.reduce((sum, worker) => sum + worker.count(), 0);
  const base = fed.count - done();
  const feed = async () => {
    const missing = depth - (fed.count - base - done());
    if (missing < depth / 10) return;
    await addWaitingCalls(db, fed.count, missing);
    fed.count += missing;
    for (const worker of workers) worker.wake();
  };
  const feedFor = async (ms: number) => {
    const until = performance.now() + ms;
    while (performance.now() < until) {
      await feed();
      await delay(FEED_EVERY_MS);
    }
  };
  await feedFor(WARM_UP_MS);
  const workerCpu = () => workers.reduce((sum, worker) => sum + worker.cpuMs(), 0);
  const [startedAt, before, cpu, databaseCpu] = [
    performance.now(),
    done(),
    workerCpu(),
    await serverCpuMs(db, since),
  ];
  await feedFor(Number(options.seconds) * 1_000);
  const count = done() - before;
  return {
    rate: (count * 1_000) / (performance.now() - startedAt),
    workerMs: (workerCpu() - cpu) / count,
    databaseMs: ((await serverCpuMs(db, since)) - databaseCpu) / count,
  };
}

/** Processor time of the server's processes for sessions begun after `since`, the workers'; 0 where it cannot be seen. */
async function serverCpuMs(db: Database, since: Date): Promise<number> {
  if (options.embedded) return 0;
  const sessions = await queryRows<{ pid: number }>(
    db,
    sql`select pid from pg_stat_activity where backend_type = 'client backend' and backend_start > ${since.toISOString()}`,
  );
  const ticks = await Promise.all(
    sessions.map(async ({ pid }) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number);
      return user + system;
    }),
  );
  // A tick is a hundredth of a second on Linux.
  return ticks.reduce((sum, count) => sum + count, 0) * 10;
}

async function report(db: Database, start: (measured: Measured) => Promise<Worker[]>): Promise<void> {
  for (const measured of kinds) {
    const rates: number[] = [];
    for (const depth of depths) {
      const since = new Date();
      const workers = await start(measured);
      const { rate, workerMs, databaseMs } = await measure(db, workers, depth, since);
      await Promise.all(workers.map((worker) => worker.stop()));
      await endOpenCalls(db);
      rates.push(rate);
      const load = (loadavg()[0] ?? 0).toFixed(1);
      console.log(
        `${measured}: ${rate.toFixed(1)} a second with ${depth} waiting (processor time each: ${workerMs.toFixed(2)} ms in the workers, ` +
          `${databaseMs.toFixed(2)} in the database; load average ${load})`,
      );
    }
    const [short = 0, long = 0] = [rates.at(0), rates.at(-1)];
    console.log(`${measured}: ratio long to short ${(long / short).toFixed(2)}`);
  }
}

async function prepare(db: Database): Promise<void> {
  const startedAt = performance.now();
  await seedWorkspaces(db, options.webhooks);
  await addEndedCalls(db, Number(options.ended));
  await addDelayedCalls(db, Number(options.delayed));
  console.log(
    `${options.ended} ended conversations in ${Math.round((performance.now() - startedAt) / 1_000)} s`,
  );
}

async function startProcess(measured: Measured, databaseUrl: string): Promise<Worker> {
  const child = spawn(process.execPath, [WORKER, measured], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: join(folder, 'data') },
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let [count, cpuMs] = [0, 0];
  const ready = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    [count = 0, cpuMs = 0] = line.split(' ').map(Number);
    ready.resolve();
  });
  await ready.promise;
  return {
    wake: () => child.stdin.write('wake\n'),
    count: () => count,
    cpuMs: () => cpuMs,
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function onPostgres(): Promise<void> {
  const server = await startPostgres(console.error);
  if ('missing' in server) throw new Error(server.missing);
  const database = await openDatabase({ databaseUrl: server.url });
  try {
    await database.migrate();
    await prepare(database.db);
    await report(database.db, (measured) =>
      Promise.all([startProcess(measured, server.url), startProcess(measured, server.url)]),
    );
  } finally {
    await database.close();
    await server.stop();
  }
}

async function onEmbedded(): Promise<void> {
  const counter = { count: 0 };
  const deps = await openWorkerDependencies({ dataDir: join(folder, 'data') }, () => (counter.count += 1));
  await prepare(deps.db);
  await report(deps.db, async (measured) => [await startWorker(deps, measured, counter)]);
}

await (options.embedded ? onEmbedded() : onPostgres());
await rm(folder, { recursive: true, force: true });
process.exit(0);
