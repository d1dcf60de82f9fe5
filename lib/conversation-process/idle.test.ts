import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '#lib/adapters/system/clock.ts';
import {
  createMemorySinks,
  noKnowledge,
  noWorkspaceTool,
  planForTest,
  silentLog,
} from '#lib/engine/testing.ts';
import { manualClock } from '#lib/ports/testing.ts';
import { createIdleProcesses } from './idle.ts';
import { type ConversationProcesses, createConversationProcesses } from './processes.ts';

const IDLE_MS = 60_000;
const never = new AbortController().signal;
const clock = manualClock();
const opened: ConversationProcesses[] = [];
let folder = '';
let host: ReturnType<typeof createIdleProcesses>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callwright-idle-'));
  host = createIdleProcesses({
    wanted: 1,
    clock,
    idleMs: IDLE_MS,
    open() {
      const processes = createConversationProcesses({
        count: 1,
        entry: new URL('./testing-process.ts', import.meta.url),
        env: { ...process.env, TEST_JOURNALS: folder },
        journalFolder: folder,
        clock: systemClock,
        log: silentLog,
      });
      opened.push(processes);
      return processes;
    },
  });
});
afterAll(async () => {
  await host.stop();
  await rm(folder, { recursive: true, force: true });
});

const order = (script: string) =>
  ({
    plan: planForTest({ callId: `cnv_${script}`, prompt: { opening: script } }),
    carrier: 'simulated',
    opening: 'dial',
    reference: `att_${script}`,
  }) as const;

function talk(script: string, signal = never) {
  const said = Promise.withResolvers<void>();
  const running = host.run(order(script), {
    ...createMemorySinks(),
    beginTransfer: async () => undefined,
    searchKnowledge: noKnowledge,
    useWorkspaceTool: noWorkspaceTool,
    signal,
    report: ({ type }) => type === 'turn' && said.resolve(),
  });
  return { ...running, said: said.promise };
}

it('starts them with the first conversation, stops them when nothing runs for a while, and starts them again', async () => {
  expect(opened).toHaveLength(0);
  await host.ready(never);
  const closing = new AbortController();
  const long = talk('hold', closing.signal);
  await long.said;
  // They are kept while something runs in them, however long.
  await clock.advance(10 * IDLE_MS);
  expect(host.counts()).toMatchObject({ wanted: 1, ready: 1 });
  closing.abort(new Error('enough'));
  await long.result;
  await clock.advance(IDLE_MS - 1);
  expect(host.counts().ready).toBe(1);
  await clock.advance(1);
  expect(host.counts()).toMatchObject({ wanted: 1, ready: 0 });

  await host.ready(never);
  expect(opened).toHaveLength(2);
  expect(opened[0]?.pids()).toEqual([]);
  await talk('end').result;
});
