import { expect, it } from 'vitest';
import { killDeletions } from '#bench/deletion/kill.ts';
import { createEmbeddedTestDatabase } from '#db/testing.ts';

/** Tables that keep no more of a deleted conversation than its bare id. */
const KEPT = ['audit_events', 'call_attempts', 'deleted_calls', 'transfer_attempts', 'webhook_deliveries'];
const THERE = { isThere: true, turns: 1, files: 2 };
const GONE = { isThere: false, turns: 0, tables: KEPT };

// On the embedded database, which it runs on whatever is tested.
it(
  'leaves no conversation half deleted where the process is killed, and finishes after a restart',
  { timeout: 240_000 },
  async () => {
    const [deleting, deleted, several] = await killDeletions(
      ['cnv_1', 'cnv_2', 'cnv_3'],
      [
        { point: 'conversation.deleting', ids: ['cnv_1'] },
        { point: 'conversation.deleted', ids: ['cnv_1'] },
        { point: 'conversation.file_removed', ids: ['cnv_2', 'cnv_3'] },
      ],
      createEmbeddedTestDatabase,
    );
    for (const each of [deleting, deleted, several]) expect(each?.signal).toBe('SIGKILL');
    // Nothing was committed: it is all there, and nothing sweeps its files.
    expect(deleting?.found).toMatchObject({ cnv_1: THERE, cnv_2: THERE, cnv_3: THERE });
    expect(deleting?.swept).toEqual(deleting?.found);
    // The rows are gone, and the files with the next sweep.
    expect(deleted?.found).toMatchObject({ cnv_1: { ...GONE, files: 2 }, cnv_2: THERE, cnv_3: THERE });
    expect(deleted?.swept).toMatchObject({ cnv_1: { ...GONE, files: 0 }, cnv_2: THERE, cnv_3: THERE });
    expect(several?.found).toMatchObject({ cnv_2: { ...GONE, files: 1 }, cnv_3: GONE });
    expect(several?.swept).toMatchObject({ cnv_2: { ...GONE, files: 0 }, cnv_3: { ...GONE, files: 0 } });
  },
);
