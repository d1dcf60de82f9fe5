/** @module-tag phones */
import { expect, it } from 'vitest';
import { crashCalls } from '#bench/calls/crash.ts';
import { createEmbeddedTestDatabase } from '#db/testing.ts';

/** One is busy, one hangs up at once, one rings while the kills come, the others talk. */
function personOf(number: string) {
  const last = Number(number.at(-1));
  if (last === 1) return { busy: true, talksMs: 0 };
  return { answersAfterMs: last === 2 ? 2_500 : 100, talksMs: last === 3 ? 0 : 1_200 };
}

// The long version: `node bench/calls/crash.ts 60 25 1 sip`.
it(
  'a trunk gets one INVITE for each person at most, however often the service is killed, and no call is stuck',
  { timeout: 300_000, tags: ['nightly'] },
  async () => {
    const report = await crashCalls({
      calls: 6,
      kills: 2,
      workers: 1,
      carrier: 'sip',
      personOf,
      makeDatabase: createEmbeddedTestDatabase,
    });
    expect(report).toMatchObject({ calls: 6, ended: 6, endedTwice: 0, attempts: 6, webhooks: 6 });
    expect(report).toMatchObject({ reservedSeconds: 0, leftProcesses: 0, leftFiles: 0 });
    expect(report.invites).toMatchObject({ mostForOne: 1, leftOpen: 0 });
    // Whoever was not called is told to be missed, so that a person decides.
    expect((report.invites?.people ?? 0) + report.missed).toBeGreaterThanOrEqual(6);
  },
);
