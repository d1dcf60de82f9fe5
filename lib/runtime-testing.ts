import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestDatabase } from '#db/testing.ts';
import { createPgBossQueue } from '#lib/adapters/queue/pg-boss.ts';
import { createFileStorage } from '#lib/adapters/storage/file.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { createSealer } from '#lib/adapters/system/sealer.ts';
import { systemIds } from '#lib/adapters/system/ids.ts';
import { setRuntime } from '#lib/current-runtime.ts';
import { parseEnv } from '#lib/env.ts';
import { createLogger } from '#lib/log.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { openModels } from '#lib/conversation-runtime.ts';
import { noMetrics } from '#lib/ports/metrics.ts';
import { buildRuntime, type Runtime } from '#lib/runtime.ts';
import { noTracer } from '#lib/ports/tracer.ts';

export type TestRuntime = Runtime & { dataDir: string; close(): Promise<void> };

/**
 * The whole service without its HTTP server, on a fresh test database, with simulated calls as fast as possible.
 * Becomes the current runtime, so route handlers can be called directly. `worker: true` starts queue and jobs.
 */
export async function startTestRuntime(
  options: { worker?: boolean; env?: Record<string, string>; overrides?: Partial<Dependencies> } = {},
): Promise<TestRuntime> {
  const dataDir = await mkdtemp(join(tmpdir(), 'callwright-test-'));
  const env = parseEnv({ SIMULATION_SPEED: '0', LOG_LEVEL: 'silent', ...options.env, DATA_DIR: dataDir });
  const database = await openTestDatabase();
  const log = createLogger(env.logLevel);
  const dependencies: Dependencies = {
    env,
    database,
    db: database.db,
    clock: systemClock,
    ids: systemIds,
    log,
    metrics: noMetrics,
    tracer: noTracer,
    queue: createPgBossQueue(database, log),
    storage: createFileStorage(`${dataDir}/storage`),
    ...openModels(env, log),
    processes: undefined,
    authSecret: 'test-secret-test-secret-test-secret',
    sealer: createSealer('test-secret-test-secret-test-secret'),
    signingSecret: 'test-signing-secret',
    ...options.overrides,
  };
  const built = buildRuntime(dependencies);
  setRuntime(built);
  // The queue's tables are needed to send even where nothing works on the jobs.
  await built.queue.start();
  if (options.worker) await built.startWorker();
  return {
    ...built,
    dataDir,
    async close() {
      await built.stop(5_000);
      setRuntime(undefined);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
