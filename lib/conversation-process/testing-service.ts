/** A service with one conversation, made to be killed: says the number of its conversation process once both talk. */
import { systemClock } from '#lib/adapters/system/clock.ts';
import { createMemorySinks, noKnowledge, noWorkspaceTool, planForTest } from '#lib/engine/testing.ts';
import { createLogger } from '#lib/log.ts';
import { createConversationProcesses } from './processes.ts';

const host = createConversationProcesses({
  count: 1,
  entry: new URL('./testing-process.ts', import.meta.url),
  env: process.env,
  journalFolder: process.env.TEST_JOURNALS ?? '',
  clock: systemClock,
  log: createLogger('silent'),
});
const never = new AbortController().signal;
await host.ready(never);
host.run(
  {
    plan: planForTest({ prompt: { opening: 'hold' } }),
    carrier: 'simulated',
    opening: 'dial',
    reference: 'att_1',
  },
  {
    ...createMemorySinks(),
    beginTransfer: async (to) => `att_to_${to}`,
    searchKnowledge: noKnowledge,
    useWorkspaceTool: noWorkspaceTool,
    signal: never,
    report: ({ type }) => type === 'turn' && process.stdout.write(`${host.pids().join()}\n`),
  },
);
