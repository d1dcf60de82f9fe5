import { expect, it } from 'vitest';
import { crashCalls } from '#bench/calls/crash.ts';

// On the embedded database, which it runs on whatever is tested; beside PostgreSQL: chaos.test.ts.
it(
  'ends every queued call exactly once when a process is killed at a random moment',
  { timeout: 180_000 },
  () => expectEachOnce({ calls: 6, kills: 1 }),
);

it('does so when processes are killed again and again', { timeout: 300_000, tags: ['nightly'] }, () =>
  expectEachOnce({ calls: 24, kills: 8 }),
);

async function expectEachOnce({ calls, kills }: { calls: number; kills: number }): Promise<void> {
  const report = await crashCalls({ calls, kills, workers: 1 });
  expect(report).toMatchObject({
    calls,
    ended: calls,
    endedTwice: 0,
    dialledTwice: 0,
    attempts: calls,
    webhooks: calls,
    reservedSeconds: 0,
    leftProcesses: 0,
    leftFiles: 0,
  });
  expect(report.missed).toBeLessThanOrEqual(report.kills);
}
