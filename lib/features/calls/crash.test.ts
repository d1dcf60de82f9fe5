import { expect, it } from 'vitest';
import { crashCalls } from '#bench/calls/crash.ts';
import { createEmbeddedTestDatabase } from '#db/testing.ts';

// On the embedded database, which it runs on whatever is tested; beside PostgreSQL: chaos.test.ts.
it(
  'ends every queued call exactly once when its processes are killed at random moments',
  { timeout: 180_000 },
  async () => {
    const report = await crashCalls({
      calls: 8,
      kills: 2,
      workers: 1,
      makeDatabase: createEmbeddedTestDatabase,
    });
    expect(report).toMatchObject({
      calls: 8,
      ended: 8,
      endedTwice: 0,
      dialledTwice: 0,
      attempts: 8,
      webhooks: 8,
      reservedSeconds: 0,
      leftProcesses: 0,
      leftFiles: 0,
    });
    expect(report.missed).toBeLessThanOrEqual(report.kills);
  },
);
