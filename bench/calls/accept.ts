/**
 * How many outbound calls a second are accepted for one workspace, by one process on a throwaway PostgreSQL server, and
 * that no more of them are than the monthly limit allows.
 *
 *   node bench/calls/accept.ts [--seconds=5] [--parallel=50] [--keys] [--limit=MINUTES]
 *
 * `--keys`: each request has an Idempotency-Key.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseEnv } from '#lib/env.ts';
import { isAppError } from '#lib/errors.ts';
import { seedLine } from '#lib/features/calls/testing.ts';
import { createLogger } from '#lib/log.ts';
import { openDependencies } from '#lib/runtime-dependencies.ts';
import { buildRuntime } from '#lib/runtime.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { startPostgres } from '../../scripts/postgres.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    parallel: { type: 'string', default: '50' },
    keys: { type: 'boolean', default: false },
    limit: { type: 'string' },
  },
});
const server = await startPostgres(console.error);
if ('missing' in server) throw new Error(server.missing);
const folder = await mkdtemp(join(tmpdir(), 'callwright-accept-'));
const env = parseEnv({ DATA_DIR: folder, DATABASE_URL: server.url, LOG_LEVEL: 'error' });
const runtime = buildRuntime(await openDependencies(env, createLogger(env.logLevel)));
await runtime.queue.start();
const line = await seedLine(runtime.db, 'accept', {
  workspace: { monthlyUsageLimitMinutes: options.limit === undefined ? null : Number(options.limit) },
});

const counts = { accepted: 0, refused: 0 };
async function send(until: number): Promise<void> {
  while (performance.now() < until) {
    const key = options.keys ? runtime.ids.next('key') : undefined;
    try {
      await runtime.calls.queueOutbound(
        line.actor,
        { from: line.number, to: parsePhoneNumber('+15550109900') },
        key,
      );
      counts.accepted += 1;
    } catch (error) {
      if (!isAppError(error) || error.code !== 'USAGE_LIMIT_EXCEEDED') throw error;
      counts.refused += 1;
    }
  }
}
const sendFor = (ms: number) => {
  const until = performance.now() + ms;
  return Promise.all(Array.from({ length: Number(options.parallel) }, () => send(until)));
};

if (options.limit === undefined) await sendFor(2_000);
const [startedAt, cpu, before] = [performance.now(), process.cpuUsage(), counts.accepted];
await sendFor(Number(options.seconds) * 1_000);
const seconds = (performance.now() - startedAt) / 1_000;
const { user, system } = process.cpuUsage(cpu);
const accepted = counts.accepted - before;
console.log(
  `${(accepted / seconds).toFixed(0)} accepted a second (${counts.accepted} in all, ${counts.refused} over the limit; ` +
    `${((user + system) / 1000 / (accepted + counts.refused)).toFixed(2)} ms of processor time each in this process; load average ${(loadavg()[0] ?? 0).toFixed(1)})`,
);
await runtime.stop(5_000);
await server.stop();
await rm(folder, { recursive: true, force: true });
process.exit(0);
