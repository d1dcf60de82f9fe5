import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createJournalWriter, journalFolder } from '#lib/conversation-process/journal.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import type { Queue } from '#lib/ports/queue.ts';
import type { TestRuntime } from '#lib/runtime-testing.ts';
import { seedLine, shortConversation, untilTold } from '../testing.ts';
import { callWorker, startCallsRuntime } from './testing.ts';

let runtime: TestRuntime;
const folders: string[] = [];

beforeAll(async () => {
  runtime = await startCallsRuntime();
});
afterAll(async () => {
  await runtime.close();
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

/** One clock for several machines: what is to run on one of them runs on the one that asked first. */
function sharedSweeps() {
  const sweeps = new Map<string, (() => Promise<void>)[]>();
  const queue: Queue = {
    ...runtime.queue,
    work: async () => {},
    every: async (name, _everyMs, handler, { on = 'one' } = {}) => {
      const known = sweeps.get(name) ?? [];
      if (on === 'one' && known.length > 0) return;
      sweeps.set(name, [...known, () => handler(new AbortController().signal)]);
    },
  };
  return { queue, pass: (name: string) => Promise.all((sweeps.get(name) ?? []).map((sweep) => sweep())) };
}

/** A machine with a disk of its own. */
async function machine(queue: Queue) {
  const dataDir = await mkdtemp(join(tmpdir(), 'callwright-leftovers-'));
  folders.push(dataDir);
  await mkdir(journalFolder(dataDir));
  const work = callWorker(runtime, shortConversation(), { queue, dataDir });
  await work.dispatcher.start();
  return { ...work, folder: journalFolder(dataDir) };
}

it('each machine removes what calls that ended elsewhere left on its disk', async () => {
  const { queue, pass } = sharedSweeps();
  const machines = [await machine(queue), await machine(queue), await machine(queue)];
  const [first] = machines;
  const line = await seedLine(runtime.db, 'leftovers');
  const { conversationId } = await runtime.calls.queueOutbound(line.actor, {
    from: line.number,
    to: parsePhoneNumber('+15550109902'),
  });
  await first?.dispatcher.fill(line.actor.workspaceId);
  await untilTold(machines, conversationId, async () => {
    return (await runtime.conversations.getCall(line.actor, conversationId)).status === 'ended';
  });
  for (const { folder } of machines) {
    const journal = createJournalWriter(folder, conversationId, (error) => expect.fail(String(error)));
    journal.append({ kind: 'report', atMs: 0, report: { type: 'ringing', atMs: 0 } });
    await journal.close();
  }
  await pass('calls.leftovers');
  expect(await Promise.all(machines.map(({ folder }) => readdir(folder)))).toEqual([[], [], []]);
  await Promise.all(machines.map(({ dispatcher }) => dispatcher.stop(1_000)));
});
