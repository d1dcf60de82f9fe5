/** @module-tag postgres */
import { expect, it } from 'vitest';
import { hasPostgres } from '#db/testing.ts';
import { runChaos } from '#bench/chaos/run.ts';

// The long version, with as many kills as there is time for: `npm run test:chaos`.
it.skipIf(!hasPostgres)(
  'nobody is dialled twice and nothing is lost while two workers are killed on PostgreSQL',
  { timeout: 180_000 },
  async () => {
    const report = await runChaos({ kills: 2, seed: 17, minutes: 0.2, workers: 2 });
    // How long something stood still says more of a busy machine: the long version judges it.
    const faults = report.faults.filter((fault) => !fault.startsWith('something was stuck'));
    expect(faults).toEqual([]);
    expect(report.kills).toBeGreaterThan(0);
    expect(report.counts.calls).toBeGreaterThan(0);
  },
);
