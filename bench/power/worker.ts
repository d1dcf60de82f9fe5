/**
 * A service that takes calls and documents until its machine loses power, and says what it has answered for: `call ID`,
 * `document ID`, and `ended ID` of each call that it shows as ended. With `POWER_IS_BACK` it takes nothing new, and ends by
 * itself when every call has ended.
 */
import { eq, ne } from 'drizzle-orm';
import { calls } from '#db/schema/calls.ts';
import { type SeededLine, seedLine } from '#lib/features/calls/testing.ts';
import { uploadRequest } from '#lib/features/knowledge/testing.ts';
import { installationEnv } from '#lib/installation/testing.ts';
import { createLogger } from '#lib/log.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { openDependencies } from '#lib/runtime-dependencies.ts';
import { buildRuntime } from '#lib/runtime.ts';

const { DATA_DIR = '', POWER_ROUND = '0', POWER_IS_BACK } = process.env;
const env = installationEnv(DATA_DIR, { CONVERSATION_PROCESSES: '1', SIMULATION_SPEED: '20' });
const runtime = buildRuntime(
  await openDependencies(env, createLogger('silent'), {
    conversationProcess: new URL('../calls/crash-conversation-process.ts', import.meta.url),
  }),
);
await runtime.queue.start();
await runtime.startWorker();
await runtime.takeCalls();
await runtime.conversationHost.ready(new AbortController().signal);

const say = (line: string) => void process.stdout.write(`${line}\n`);
say(`processes ${runtime.processes?.pids().join(' ') ?? ''}`);

async function takeCalls(line: SeededLine): Promise<void> {
  for (let index = 0; ; index += 1) {
    const to = parsePhoneNumber(`+1555${POWER_ROUND.padStart(3, '0')}${String(index).padStart(4, '0')}`);
    const order = { from: line.number, to, variables: { name: 'Ann' } };
    const { conversationId } = await runtime.calls.queueOutbound(line.actor, order);
    say(`call ${conversationId}`);
    await runtime.clock.sleep(20);
  }
}

async function takeDocuments(line: SeededLine): Promise<void> {
  const base = await runtime.knowledge.bases.create(line.actor, { name: POWER_ROUND, description: 'Prices' });
  for (let index = 0; ; index += 1) {
    const request = await uploadRequest({ name: `${index}.txt`, bytes: `Prices ${index}. `.repeat(2_000) });
    const { id } = await runtime.knowledge.documents.upload(line.actor, base.id, request);
    say(`document ${id}`);
    await runtime.clock.sleep(100);
  }
}

async function tellEnds(): Promise<void> {
  const told = new Set<string>();
  for (;;) {
    const ended = await runtime.db.select({ id: calls.id }).from(calls).where(eq(calls.status, 'ended'));
    for (const { id } of ended) if (!told.has(id)) say(`ended ${id}`);
    for (const { id } of ended) told.add(id);
    await runtime.clock.sleep(50);
  }
}

if (POWER_IS_BACK) {
  while ((await runtime.db.$count(calls, ne(calls.status, 'ended'))) > 0) await runtime.clock.sleep(100);
  await runtime.stop(10_000);
  process.exit(0);
}
const line = await seedLine(runtime.db, `power-${POWER_ROUND}-${Date.now()}`);
say('working');
await Promise.all([takeCalls(line), takeDocuments(line), tellEnds()]);
