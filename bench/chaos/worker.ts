/**
 * One process of the kill suite: a worker that also takes requests, as `ROLE=all` on PostgreSQL, and asks itself for calls
 * and documents like a client that repeats what it got no answer to. What was answered is written down in its folder.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { and, eq, ne } from 'drizzle-orm';
import { calls } from '#db/schema/calls.ts';
import { systemActor } from '#lib/auth/mint.ts';
import { setRuntime } from '#lib/current-runtime.ts';
import { parseEnv } from '#lib/env.ts';
import { createLogger } from '#lib/log.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { openDependencies } from '#lib/runtime-dependencies.ts';
import { buildRuntime } from '#lib/runtime.ts';
import { BASE_ID, numberOfCall, ownNumbers, WORKSPACE } from './line.ts';
import { obeyFaults } from './obey.ts';

const folder = process.env.CHAOS_FOLDER ?? '';
const slot = Number(process.env.CHAOS_SLOT);
obeyFaults(folder);

const MOST_OPEN = 24;
const PAUSE_MS = 120;
const CALLS_PER_DOCUMENT = 4;

const env = parseEnv(process.env);
const dependencies = await openDependencies(env, createLogger(env.logLevel), {
  conversationProcess: new URL('./conversation-process.ts', import.meta.url),
});
const runtime = buildRuntime(dependencies);
await runtime.queue.start();
setRuntime(runtime);
const actor = systemActor(WORKSPACE, 'chaos');
const sayPids = () => process.stdout.write(`processes ${runtime.processes?.pids().join(' ') ?? ''}\n`);
const isOver = () => existsSync(join(folder, '..', 'over'));
const answered = (name: string) => {
  const path = join(folder, name);
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
};

async function askForCalls(): Promise<void> {
  for (let count = answered('calls').length; !isOver(); count += 1) {
    const to = parsePhoneNumber(numberOfCall(slot, count));
    const from = ownNumbers[count % ownNumbers.length] ?? ownNumbers[0];
    const body = { from, to, variables: { name: 'Ann' } };
    const { conversationId } = await persist(() =>
      runtime.calls.queueOutbound(actor, body, `chaos-${slot}-${count}`),
    );
    appendFileSync(join(folder, 'calls'), `${conversationId} ${to}\n`);
    if (count % CALLS_PER_DOCUMENT === 0) void addDocument();
    await untilRoom();
  }
}

/** Not more than a few open calls of this process's own: what is queued behind others shows nothing. */
async function untilRoom(): Promise<void> {
  const open = and(ne(calls.status, 'ended'), eq(calls.workspaceId, WORKSPACE));
  do await runtime.clock.sleep(PAUSE_MS);
  while (!isOver() && (await runtime.db.$count(calls, open).catch(() => MOST_OPEN)) >= MOST_OPEN);
}

/** An upload is not repeated: without an answer a person looks at the list. Every second document is deleted again. */
async function addDocument(): Promise<void> {
  const count = answered('documents').length;
  const text = Array.from(
    { length: 400 },
    (_, line) => `Answer ${slot}-${count}-${line} about the practice.`,
  );
  try {
    const { id, status } = await runtime.knowledge.documents.add(actor, BASE_ID, {
      name: `chaos-${slot}-${count}.txt`,
      body: Buffer.from(text.join('\n\n')),
    });
    appendFileSync(join(folder, 'documents'), `${id} ${status}\n`);
    if (count % 2 === 0) return;
    await runtime.knowledge.documents.remove(actor, id);
    appendFileSync(join(folder, 'removed'), `${id}\n`);
  } catch {
    // The database was away, the disk full or the storage silent: the client was told so.
  }
}

async function persist<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await runtime.clock.sleep(200);
    }
  }
}

/** What the API answers with 5xx, after which clients come again. */
const isPassing = (error: unknown) =>
  !(error instanceof Error && 'status' in error && typeof error.status === 'number' && error.status < 500);

await runtime.startWorker();
await runtime.takeCalls();
await runtime.conversationHost.ready(new AbortController().signal);
sayPids();
process.stdout.write('working\n');
setInterval(sayPids, 500).unref();
process.on('SIGTERM', () => {
  void runtime.stop(10_000).then(() => process.exit(0));
});
await askForCalls();
