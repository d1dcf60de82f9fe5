/**
 * One process that places calls, made to be killed, with others that run the conversations
 * (`crash-conversation-process.ts`). The first one (`CRASH_CALLS`) also queues them. Says which processes it has, and ends
 * by itself when every call has ended.
 */
import { ne } from 'drizzle-orm';
import { calls } from '#db/schema/calls.ts';
import { setRuntime } from '#lib/current-runtime.ts';
import { parseEnv } from '#lib/env.ts';
import { seedLine } from '#lib/features/calls/testing.ts';
import { createLogger } from '#lib/log.ts';
import { openDependencies } from '#lib/runtime-dependencies.ts';
import { buildRuntime } from '#lib/runtime.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { createUpgradeHandler } from '#server/web-sockets.ts';
import { createWorkerServer } from '#server/worker-http.ts';

const callCount = Number(process.env.CRASH_CALLS ?? 0);
Object.assign(process.env, { SIMULATION_SPEED: process.env.SIMULATION_SPEED ?? '0', LOG_LEVEL: 'silent' });
const env = parseEnv({
  DATA_DIR: process.env.DATA_DIR,
  DATABASE_URL: process.env.DATABASE_URL,
  SIMULATION_SPEED: process.env.SIMULATION_SPEED,
  LOG_LEVEL: process.env.LOG_LEVEL,
  SIP_LISTEN: process.env.SIP_LISTEN,
  CALLS_PER_SECOND: process.env.CALLS_PER_SECOND,
  SIP_TRUNK_URI: process.env.SIP_TRUNK_URI,
  CONVERSATION_PROCESSES: process.env.DATABASE_URL ? '2' : '1',
  PORT: process.env.PORT,
  PUBLIC_URL: process.env.PUBLIC_URL,
  TWILIO_ACCOUNT_SID: process.env.TWILIO_ACCOUNT_SID,
  TWILIO_AUTH_TOKEN: process.env.TWILIO_AUTH_TOKEN,
  TWILIO_API_BASE: process.env.TWILIO_API_BASE,
});

const dependencies = await openDependencies(env, createLogger(env.logLevel), {
  conversationProcess: new URL('./crash-conversation-process.ts', import.meta.url),
});
const runtime = buildRuntime(dependencies);
await runtime.queue.start();
setRuntime(runtime);
if (env.twilio) {
  const server = createWorkerServer();
  server.on('upgrade', createUpgradeHandler(runtime));
  server.listen(env.port, '127.0.0.1');
  server.unref();
}

if (callCount > 0) {
  const line = await seedLine(runtime.db, 'crash', {
    workspace: { webhookUrl: 'https://hooks.invalid/calls' },
    number: { carrier: env.twilio ? 'twilio' : env.sip ? 'sip' : 'simulated' },
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
await runtime.takeCalls();
await runtime.conversationHost.ready(new AbortController().signal);
let said = runtime.processes?.pids().join(' ') ?? '';
process.stdout.write(`processes ${said}\nworking\n`);
while ((await runtime.db.$count(calls, ne(calls.status, 'ended'))) > 0) {
  const pids = runtime.processes?.pids().join(' ') ?? '';
  if (pids !== said) process.stdout.write(`processes ${pids}\n`);
  said = pids;
  await runtime.clock.sleep(100);
}
await runtime.stop(10_000);
process.stdout.write('done\n');
process.exit(0);
