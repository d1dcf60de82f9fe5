import { setRuntime } from '#lib/current-runtime.ts';
import { parseEnv } from '#lib/env.ts';
import { seedLine } from '#lib/features/calls/testing.ts';
import { addFullConversation } from '#lib/features/deletion/testing.ts';
import { createLogger } from '#lib/log.ts';
import { openDependencies } from '#lib/runtime-dependencies.ts';
import { buildRuntime } from '#lib/runtime.ts';

/** Makes conversations with something in every table, as the whole service does, and closes it again. */
export async function seedConversations(dataDir: string, ids: readonly string[]): Promise<void> {
  const env = parseEnv({ DATA_DIR: dataDir, SIMULATION_SPEED: '0', LOG_LEVEL: 'silent' });
  const runtime = buildRuntime(await openDependencies(env, createLogger(env.logLevel)));
  await runtime.queue.start();
  setRuntime(runtime);
  const line = await seedLine(runtime.db, 'deletion');
  for (const id of ids) await addFullConversation(runtime, line, id);
  await runtime.stop(5_000);
}
