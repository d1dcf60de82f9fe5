/**
 * What retention takes of PostgreSQL while it deletes the conversations of the oldest day among a million: processor time of the
 * server and of this process for a thousand, how long the longest transaction was open, and how many rows its look-ups read.
 *
 *   node bench/million/retention.ts [--database=URL] [--count=1000000] [--recordings]
 *
 * Each conversation of that day gets eight turns, twelve events and two uses of tools first. With `--recordings` only the
 * recordings of that day go. The processor time of the server is known where it runs on this machine (Linux).
 */
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { type SQL, sql } from 'drizzle-orm';
import { queryRows } from '#db/client.ts';
import { createFileStorage } from '#lib/adapters/storage/file.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { createDeletionService } from '#lib/features/deletion/service.ts';
import { createRetentionSweep } from '#lib/features/retention/sweep/service.ts';
import { createLogger } from '#lib/log.ts';
import { LARGE } from './data.ts';
import { openMillion } from './open.ts';

const { values: options } = parseArgs({
  options: {
    database: { type: 'string' },
    count: { type: 'string', default: '1000000' },
    recordings: { type: 'boolean', default: false },
  },
});
const million = await openMillion({ database: options.database, count: Number(options.count) });
const { db } = million.database;
const storage = createFileStorage(`${tmpdir()}/callwright-no-recordings`);
const deletion = createDeletionService({ db, clock: systemClock, storage, log: createLogger('silent') });
const sweep = createRetentionSweep({ db, clock: systemClock, deletion });

const [oldest] = await queryRows<{ days: number }>(
  db,
  sql`select extract(epoch from now() - min(date_initiated))::float8 / 86400 as days from calls where workspace_id = ${LARGE.workspaceId}`,
);
const days = Math.floor((oldest?.days ?? 2) - 1);
// Of this moment: while it sweeps, others come of age.
const cutoff = new Date(Date.now() - days * 86_400_000).toISOString();
const [known] = await queryRows<{ count: number }>(db, sql`select count(*)::int as count from calls`);
const isOld = sql`workspace_id = ${LARGE.workspaceId} and status = 'ended' and date_initiated < ${cutoff}::timestamptz`;
await addDetails();
const before = await countOld();

const backends = watchBackends();
const own = process.cpuUsage();
const field = options.recordings ? sql`recording_retention_days` : sql`conversation_retention_days`;
await db.execute(sql`update workspaces set ${field} = ${days} where id = ${LARGE.workspaceId}`);
await explain(
  'the oldest conversations',
  sql`select id, date_initiated from calls where ${isOld} order by date_initiated, id limit 50`,
);
await sweep.sweep(3_600_000);
const { user, system } = process.cpuUsage(own);
const server = await backends.stop();
const after = await countOld();
const gone = before - after;
const perThousand = (ms: number) => Math.round((ms / gone) * 1_000);
console.log(
  JSON.stringify({
    conversations: known?.count,
    gone,
    left: after,
    serverMsPerThousand: perThousand(server.cpuMs),
    ownMsPerThousand: perThousand((user + system) / 1_000),
    longestTransactionMs: server.longestMs,
  }),
);
await million.close();
process.exit(after === 0 && gone > 0 ? 0 : 1);

async function addDetails(): Promise<void> {
  const ofDay = sql`select id, workspace_id, n from calls, generate_series`;
  await db.execute(
    sql`update calls set recording_key = 'recordings/' || workspace_id || '/' || id || '.wav' where ${isOld}`,
  );
  await db.execute(sql`insert into turns (id, call_id, workspace_id, seq, speaker, text, started_ms, ended_ms)
    select id || '_t' || n, id, workspace_id, n, 'agent', 'Would Tuesday at ten in the morning suit you?', n * 4000, n * 4000 + 3000
    from (${ofDay}(1, 8) as n where ${isOld}) turn`);
  await db.execute(sql`insert into call_events (call_id, workspace_id, type, data, at)
    select id, workspace_id, 'turn', '{}', now() from (${ofDay}(1, 12) as n where ${isOld}) event`);
  await db.execute(sql`insert into tool_uses (id, call_id, workspace_id, seq, name, arguments, result, started_ms, ended_ms)
    select id || '_u' || n, id, workspace_id, n + 100, 'end_call', '{}', '{}', 0, 1 from (${ofDay}(1, 2) as n where ${isOld}) used`);
}

async function countOld(): Promise<number> {
  const recorded = options.recordings ? sql` and recording_key is not null` : sql``;
  const [row] = await queryRows<{ count: number }>(
    db,
    sql`select count(*)::int as count from calls where ${isOld}${recorded}`,
  );
  return row?.count ?? 0;
}

async function explain(name: string, statement: SQL): Promise<void> {
  const rows = await queryRows<{ 'QUERY PLAN': string }>(
    db,
    sql`explain (analyze, buffers, timing off, summary off) ${statement}`,
  );
  console.log(`${name}:\n  ${rows.map((row) => row['QUERY PLAN']).join('\n  ')}`);
}

/** The processor time of the backends of this process, and the longest that one of them had a transaction open. */
function watchBackends() {
  const taken = new Map<number, { first: number; last: number }>();
  let longestMs = 0;
  let isOver = false;
  async function look(): Promise<void> {
    const rows = await queryRows<{ pid: number; open_ms: number | null }>(
      db,
      sql`select pid, (extract(epoch from clock_timestamp() - xact_start) * 1000)::float8 as open_ms
        from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    for (const { pid, open_ms } of rows) {
      longestMs = Math.max(longestMs, open_ms ?? 0);
      const ms = cpuMsOf(pid);
      const known = taken.get(pid);
      taken.set(pid, { first: known?.first ?? ms, last: ms });
    }
  }
  const looking = (async () => {
    while (!isOver) {
      await look();
      await systemClock.sleep(50);
    }
  })();
  return {
    async stop() {
      await look();
      isOver = true;
      await looking;
      const cpuMs = [...taken.values()].reduce((sum, { first, last }) => sum + last - first, 0);
      return { cpuMs, longestMs: Math.round(longestMs) };
    },
  };
}

/** Hundredths of a second, as Linux counts them; 0 where the server is elsewhere. */
function cpuMsOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number);
    return (user + system) * 10;
  } catch {
    return 0;
  }
}
