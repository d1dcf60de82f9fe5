/** What must be true when all faults are over, counted on the side of whoever would suffer. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { type OpenDatabase, queryRows } from '#db/client.ts';
import { recordingKeyOf } from '#lib/features/recordings/rules.ts';
import type { KeptTurn, Slot } from './slot.ts';

export type Seen = {
  database: OpenDatabase;
  slots: readonly Slot[];
  dialLog: string;
  invites: Map<string, number>;
  webhooks: Map<string, number>;
  turns: readonly KeptTurn[];
  storedKeys: string[];
  longestSeconds: number;
};

/** Each fault in a sentence; none: everything held. */
export async function findFaults(seen: Seen): Promise<{ faults: string[]; counts: Record<string, number> }> {
  const faults: string[] = [];
  const expect = (isTrue: boolean, fault: string) => void (isTrue || faults.push(fault));
  const rows = await queryRows<CallLine>(
    seen.database.db,
    sql`select c.id, c.status, c.human_phone_number as number, c.recording_key as "recordingKey", c.disposition,
        (select count(*)::int from call_events e where e.call_id = c.id and e.type = 'call.ended') as ends,
        (select count(*)::int from call_attempts a where a.call_id = c.id) as attempts,
        (select count(*)::int from webhook_deliveries w where w.call_id = c.id and w.kind = 'call') as deliveries,
        (select max(status) from webhook_deliveries w where w.call_id = c.id and w.kind = 'call') as delivery,
        (select coalesce(jsonb_agg(jsonb_build_array(t.seq, t.text)), '[]'::jsonb) from turns t where t.call_id = c.id) as turns
      from calls c`,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const dialled = countLines(await readFile(seen.dialLog, 'utf8').catch(() => ''));

  for (const { folder } of seen.slots) {
    for (const line of await linesOf(join(folder, 'calls'))) {
      const [id = ''] = line.split(' ');
      expect(byId.has(id), `call ${id} was accepted and is lost`);
    }
  }
  const numbers = new Set(rows.map(({ number }) => number));
  expect(numbers.size === rows.length, `${rows.length - numbers.size} requests became two calls`);
  for (const row of rows) {
    expect(row.status === 'ended', `call ${row.id} is still ${row.status}`);
    expect(row.ends <= 1, `call ${row.id} ended ${row.ends} times`);
    expect(row.deliveries === 1, `call ${row.id} has ${row.deliveries} webhooks`);
    const arrived = seen.webhooks.get(row.id) ?? 0;
    expect(arrived <= 1, `the webhook of call ${row.id} arrived ${arrived} times`);
    expect(
      row.delivery !== 'delivered' || arrived === 1,
      `the webhook of call ${row.id} says delivered and did not arrive`,
    );
    expect(
      !(row.delivery === 'pending' || row.delivery === 'sending'),
      `the webhook of call ${row.id} is ${row.delivery}`,
    );
    const times = dialled.get(row.number) ?? 0;
    expect(times <= 1, `${row.number} was dialled ${times} times`);
  }
  for (const [number, times] of seen.invites) expect(times <= 1, `${number} got ${times} INVITEs`);
  let keptTurns = 0;
  for (const { callId, seq, text } of distinct(seen.turns)) {
    keptTurns += 1;
    const stored = byId.get(callId)?.turns.find(([number]) => number === seq);
    expect(
      stored?.[1] === text,
      `turn ${seq} of call ${callId} was in a journal and is ${stored ? 'stored otherwise' : 'not stored'}`,
    );
  }
  const [usage] = await queryRows<{ reserved: number }>(
    seen.database.db,
    sql`select coalesce(sum(reserved_seconds), 0)::int as reserved from usage_months`,
  );
  expect(usage?.reserved === 0, `${usage?.reserved} seconds of usage are still reserved`);
  const documents = await inspectDocuments(seen, expect);
  inspectRecordings(seen, rows, expect);
  await inspectFolders(seen, expect);
  expect(seen.longestSeconds <= 30, `something was stuck for ${seen.longestSeconds} s`);
  const interrupted = rows.filter(({ attempts, number }) => attempts > 0 && !dialled.has(number)).length;
  return {
    faults,
    counts: {
      calls: rows.length,
      dialled: dialled.size,
      fencedNotDialled: interrupted,
      recorded: rows.filter(({ recordingKey }) => recordingKey !== null).length,
      webhooksUnknown: rows.filter(({ delivery }) => delivery === 'unknown').length,
      turnsInJournals: keptTurns,
      ...documents,
    },
  };
}

type CallLine = {
  id: string;
  status: string;
  number: string;
  recordingKey: string | null;
  disposition: string | null;
  ends: number;
  attempts: number;
  deliveries: number;
  delivery: string | null;
  turns: [number, string][];
};
type Expect = (isTrue: boolean, fault: string) => void;

async function inspectDocuments({ database, slots, storedKeys }: Seen, expect: Expect) {
  const rows = await queryRows<{
    id: string;
    status: string;
    key: string;
    chunks: number;
    said: number | null;
  }>(
    database.db,
    sql`select id, status, storage_key as key, chunk_count as said,
      (select count(*)::int from chunks where document_id = documents.id) as chunks from documents`,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const { id, status, key, chunks, said } of rows) {
    expect(status === 'COMPLETED' || status === 'FAILED', `document ${id} is still ${status}`);
    expect(storedKeys.includes(key), `document ${id} has lost its file`);
    expect(status !== 'COMPLETED' || chunks === said, `document ${id} has ${chunks} of ${said} chunks`);
    expect(status !== 'FAILED' || chunks === 0, `document ${id} failed and has ${chunks} chunks`);
  }
  for (const { folder } of slots) {
    const removed = new Set(await linesOf(join(folder, 'removed')));
    for (const line of await linesOf(join(folder, 'documents'))) {
      const [id = '', status] = line.split(' ');
      // Deleting may have been done, and its answer lost.
      const row = byId.get(id);
      expect(!(removed.has(id) && row), `document ${id} was deleted and is there`);
      expect(!row || row.status === status, `document ${id} was answered as ${status} and is ${row?.status}`);
    }
  }
  const orphans = storedKeys.filter(
    (key) => key.startsWith('documents/') && !byId.has(key.split('/')[1] ?? ''),
  );
  expect(orphans.length === 0, `${orphans.length} files belong to no document`);
  const [left] = await queryRows<{ count: number }>(
    database.db,
    sql`select count(*)::int as count from chunks where not exists (select from documents where documents.id = document_id)`,
  );
  expect(left?.count === 0, `${left?.count} chunks belong to no document`);
  return { documents: rows.length, documentsFailed: rows.filter(({ status }) => status === 'FAILED').length };
}

function inspectRecordings({ storedKeys }: Seen, rows: readonly CallLine[], expect: Expect): void {
  const named = new Set(rows.flatMap(({ recordingKey }) => recordingKey ?? []));
  const stored = storedKeys.filter((key) => key.startsWith('recordings/'));
  for (const key of stored) expect(named.has(key), `the recording ${key} belongs to no call`);
  for (const key of named) expect(stored.includes(key), `the recording ${key} is named and not there`);
  for (const { id, recordingKey } of rows)
    expect(recordingKey === null || recordingKey.endsWith(`${id}.wav`), recordingKeyOf('', id));
}

/** What a call leaves beside the database goes with its end. */
async function inspectFolders({ slots }: Seen, expect: Expect): Promise<void> {
  for (const { dataDir, index } of slots) {
    const left = await readdir(join(dataDir, 'conversations')).catch(() => []);
    expect(left.length === 0, `worker ${index} keeps ${left.length} files of ended calls, as ${left[0]}`);
  }
}

async function linesOf(path: string): Promise<string[]> {
  return (await readFile(path, 'utf8').catch(() => '')).split('\n').filter(Boolean);
}

function countLines(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split('\n').filter(Boolean)) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

function distinct(turns: readonly KeptTurn[]): KeptTurn[] {
  return [...new Map(turns.map((turn) => [`${turn.callId} ${turn.seq}`, turn])).values()];
}
