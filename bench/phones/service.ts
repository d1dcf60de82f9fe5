/**
 * The service as it is but for its pages, with one number that is called over SIP. Says `working` once it takes calls. Made
 * to be started by run.ts, which gives the variables.
 */
import { setRuntime } from '#lib/current-runtime.ts';
import { parseEnv } from '#lib/env.ts';
import { seedLine } from '#lib/features/calls/testing.ts';
import { createLogger } from '#lib/log.ts';
import { openDependencies } from '#lib/runtime-dependencies.ts';
import { buildRuntime } from '#lib/runtime.ts';

const MOST_CALLS = 200;

const env = parseEnv(process.env);
const runtime = buildRuntime(await openDependencies(env, createLogger(env.logLevel)));
await runtime.queue.start();
setRuntime(runtime);
await seedLine(runtime.db, 'phones', {
  workspace: { maxConcurrentCalls: MOST_CALLS, webhookUrl: null },
  agent: { inboundPrompt: 'You answer the phone for a dentist.', hasPostConversationWebhook: false },
  number: { number: '+15550100001', carrier: 'sip', maxConcurrentCalls: MOST_CALLS },
});
await runtime.startWorker();
await runtime.takeCalls();
await runtime.conversationHost.ready(new AbortController().signal);
process.stdout.write(`processes ${runtime.processes?.pids().join(' ') ?? ''}\nworking\n`);
process.on('SIGTERM', () => void runtime.stop(10_000).then(() => process.exit(0)));
