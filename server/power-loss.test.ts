/** @module-tag nightly */
import { expect, it } from 'vitest';
import { losePower, whyNoPowerLoss } from '#bench/power/run.ts';

it.skipIf(whyNoPowerLoss() !== undefined)(
  'keeps what it answered for, and dials nobody twice, when it loses power thirty times',
  { timeout: 3_600_000 },
  async () => {
    const report = await losePower({ losses: 30 });
    expect(report).toMatchObject({
      unopened: [],
      lostCalls: 0,
      lostDocuments: 0,
      lostEnds: 0,
      dialledTwice: 0,
      unended: 0,
    });
    expect(report.calls).toBeGreaterThan(30);
    expect(report.dialled).toBeGreaterThan(0);
  },
);
