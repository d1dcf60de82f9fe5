import { appendFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { createJournalWriter, openJournals } from './journal.ts';

it('finds what the process wrote between the look into its journal and its end', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'callwright-journal-'));
  const writer = createJournalWriter(folder, 'cnv_last', (error) => expect.fail(String(error)));
  writer.append({ kind: 'report', atMs: 1_000, report: { type: 'ringing', atMs: 0 } });
  await writer.close();
  // Asked after the first look, it writes the second report: that of a process that ends in that moment.
  let looks = 0;
  const isOwn = () => {
    looks += 1;
    const last = { kind: 'report', atMs: 2_000, report: { type: 'answered', atMs: 1_000 } };
    if (looks === 1) appendFileSync(join(folder, 'cnv_last.jsonl'), `${JSON.stringify(last)}\n`);
    return true;
  };
  try {
    const left = await openJournals(folder, { clock: systemClock, isOwn }).find('cnv_last');
    expect(left?.reports.map(({ report }) => report.type)).toEqual(['ringing', 'answered']);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('has written all that was appended when a flush is over, also what came while it waited for the disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'callwright-journal-'));
  try {
    // Each round appends at another moment of the waits for the disk.
    for (let round = 0; round < 60; round += 1) {
      const callId = `cnv_${round}`;
      const writer = createJournalWriter(folder, callId, (error) => expect.fail(String(error)));
      writer.append({ kind: 'report', atMs: 1_000, report: { type: 'ringing', atMs: 0 } });
      const at = performance.now() + round / 20;
      while (performance.now() < at) await setImmediate();
      writer.append({ kind: 'report', atMs: 2_000, report: { type: 'accepted', reference: 'last' } });
      await writer.flush();
      expect(await readFile(join(folder, `${callId}.jsonl`), 'utf8')).toContain('last');
      await writer.close();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
