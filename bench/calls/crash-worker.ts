/**
 * One process that places calls, made to be killed. The first one (`CRASH_CALLS`) also queues them. Every number that
 * the carrier is asked to dial is appended to `CRASH_DIAL_LOG` before anything else happens, as the far end would see
 * it. Ends by itself when every call has ended.
 */
import { appendFileSync } from 'node:fs';
import { ne } from 'drizzle-orm';
import { calls } from '#db/schema/calls.ts';
import { parseEnv } from '#lib/env.ts';
import { seedLine } from '#lib/features/calls/testing.ts';
import { createLogger } from '#lib/log.ts';
import { buildRuntime, openDependencies } from '#lib/runtime.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';

const dialLog = process.env.CRASH_DIAL_LOG ?? '';
const callCount = Number(process.env.CRASH_CALLS ?? 0);
const env = parseEnv({
  DATA_DIR: process.env.DATA_DIR,
  DATABASE_URL: process.env.DATABASE_URL,
  SIMULATION_SPEED: process.env.SIMULATION_SPEED ?? '0',
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'error',
});

const dependencies = await openDependencies(env, createLogger(env.logLevel));
const { simulated } = dependencies.carriers;
if (!simulated) throw new Error('the simulated carrier is missing');
const dial: typeof simulated.dial = (request) => {
  appendFileSync(dialLog, `${request.to}\n`);
  return simulated.dial(request);
};
const runtime = buildRuntime({ ...dependencies, carriers: { simulated: { ...simulated, dial } } });
await runtime.queue.start();

if (callCount > 0) {
  const line = await seedLine(runtime.db, 'crash', {
    workspace: { webhookUrl: 'https://hooks.invalid/calls' },
  });
  for (let index = 0; index < callCount; index += 1) {
    const to = `+1555${String(index).padStart(5, '0')}${String(index % 14).padStart(2, '0')}`;
    await runtime.calls.queueOutbound(line.actor, {
      from: line.number,
      to: parsePhoneNumber(to),
      variables: { name: 'Ann' },
    });
  }
}
await runtime.startWorker();
process.stdout.write('working\n');
while ((await runtime.db.$count(calls, ne(calls.status, 'ended'))) > 0) await runtime.clock.sleep(100);
await runtime.stop(10_000);
process.stdout.write('done\n');
process.exit(0);
