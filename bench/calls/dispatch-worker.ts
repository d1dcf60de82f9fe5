/**
 * One worker of the dispatch bench: in a process of its own on PostgreSQL, or inside the bench on the embedded database.
 * As a process it reads lines (`wake`: calls are waiting) and writes how many calls it has done so far, and the milliseconds
 * of processor time it has taken, with the processes of its conversations.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { parseEnv } from '#lib/env.ts';
import { createDispatcher } from '#lib/features/calls/dispatch/service.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { openDependencies } from '#lib/runtime-dependencies.ts';
import { buildRuntime } from '#lib/runtime.ts';
import { endClaimedCalls, WORKSPACES } from './backlog.ts';

/** `claims`: calls end as soon as they are claimed. `calls`: the whole way of a call, from the claim to its end. */
export type Measured = 'claims' | 'calls';
export type Worker = { wake(): void; count(): number; cpuMs(): number; stop(): Promise<void> };

const REPORT_EVERY_MS = 50;
const END_EVERY_MS = 20;

export async function openWorkerDependencies(
  where: { dataDir: string; databaseUrl?: string | undefined },
  count: () => void,
) {
  // The processes of conversations read the environment themselves.
  process.env.SIMULATION_SPEED = '0';
  const env = parseEnv({
    DATA_DIR: where.dataDir,
    DATABASE_URL: where.databaseUrl,
    SIMULATION_SPEED: process.env.SIMULATION_SPEED,
    CONVERSATION_PROCESSES: process.env.CONVERSATION_PROCESSES,
  });
  // Each call that ends writes one event.
  const write = (line: string) =>
    line.includes('"event":"call"') ? count() : line.includes('"level":50') && process.stderr.write(line);
  return openDependencies(env, pino({ level: 'info' }, { write }));
}

export async function startWorker(
  deps: Dependencies,
  measured: Measured,
  counter: { count: number },
): Promise<Worker> {
  if (measured === 'claims') return startClaiming(deps);
  const runtime = buildRuntime(deps);
  await runtime.queue.start();
  await runtime.startWorker();
  await runtime.conversationHost.ready(new AbortController().signal);
  return {
    wake: () => WORKSPACES.forEach((id) => void runtime.dispatcher.fill(id)),
    count: () => counter.count,
    cpuMs: () => ownCpuMs() + cpuMsOf(runtime.processes?.pids() ?? []),
    stop: () => runtime.dispatcher.stop(5_000),
  };
}

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Of other processes, where the system tells it (Linux, in hundredths of a second). */
function cpuMsOf(pids: readonly number[]): number {
  const ticks = pids.flatMap((pid) => {
    const path = `/proc/${pid}/stat`;
    const stat = existsSync(path) ? readFileSync(path, 'utf8') : '';
    return stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number);
  });
  return ticks.reduce((sum, count) => sum + count, 0) * 10;
}

async function startClaiming(deps: Dependencies): Promise<Worker> {
  let count = 0;
  let claimed: string[] = [];
  let flushed = Promise.withResolvers<void>();
  const timer = setInterval(() => {
    const [ids, done] = [claimed, flushed];
    claimed = [];
    flushed = Promise.withResolvers();
    if (ids.length > 0) void endClaimedCalls(deps.db, ids).then(done.resolve);
  }, END_EVERY_MS);
  const dispatcher = createDispatcher({
    ...deps,
    serveOthers: async () => {},
    recovery: {
      journalsOf: async () => () => false,
      recover: async () => {},
      close: async () => {},
      removeLeftovers: async () => {},
    },
    runner: {
      run: ({ call }) => {
        count += 1;
        claimed.push(call.id);
        return flushed.promise;
      },
    },
  });
  return {
    wake: () => WORKSPACES.forEach((id) => void dispatcher.fill(id)),
    count: () => count,
    cpuMs: ownCpuMs,
    async stop() {
      clearInterval(timer);
      await dispatcher.stop(0);
    },
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const counter = { count: 0 };
  const deps = await openWorkerDependencies(
    { dataDir: process.env.DATA_DIR ?? '', databaseUrl: process.env.DATABASE_URL },
    () => (counter.count += 1),
  );
  const worker = await startWorker(deps, process.argv[2] === 'claims' ? 'claims' : 'calls', counter);
  createInterface({ input: process.stdin }).on('line', () => worker.wake());
  const report = () => process.stdout.write(`${worker.count()} ${worker.cpuMs()}\n`);
  report();
  setInterval(report, REPORT_EVERY_MS);
}
