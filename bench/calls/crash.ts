/**
 * Kills the processes that place calls and those in which their conversations run (`kill -9`, at random moments), starts
 * again what does not start again by itself, and counts afterwards: every call ended once, nobody was dialled twice, one
 * attempt and one webhook per call, no usage left held, nothing left of any process.
 *
 *   node bench/calls/crash.ts [calls=40] [kills=20] [workers=1] [carrier=simulated]
 *
 * With the carrier `sip` the people are behind a trunk on loopback (bench/phones/counting-trunk.ts), which counts the
 * INVITEs for each of them.
 *
 * With DATABASE_URL (a fresh database) several workers race on PostgreSQL; without it one runs on the embedded database.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { sql } from 'drizzle-orm';
import { openDatabase, queryRows } from '#db/client.ts';
import { type CountingTrunk, openCountingTrunk, type Person } from '#bench/phones/counting-trunk.ts';

/** A trunk that still rings or talks so long after the last call was closed has been forgotten. */
const STUCK_AFTER_MS = 10_000;
const WORKER = new URL('./crash-worker.ts', import.meta.url).pathname;

export type CrashPlan = {
  calls: number;
  kills: number;
  workers: number;
  /** Left out: simulated people. */
  carrier?: 'simulated' | 'sip';
  /** Over SIP: what each person does; anything, where it is left out. */
  personOf?: (number: string) => Person;
  databaseUrl?: string | undefined;
  /** Makes the embedded database in its folder. Left out: the first worker does. */
  makeDatabase?: (dataDir: string) => Promise<void>;
  /** For the workers: another carrier than the simulated one. */
  env?: Record<string, string>;
  say?: (line: string) => void;
};

export type CrashReport = {
  calls: number;
  ended: number;
  endedTwice: number;
  dialledTwice: number;
  attempts: number;
  webhooks: number;
  reservedSeconds: number;
  /** Over SIP: people who were called, and INVITEs that differ. */
  invites?: {
    people: number;
    invites: number;
    mostForOne: number;
    answered: number;
    cancelled: number;
    leftOpen: number;
  };
  /** Calls that a kill hit between the attempt and the carrier's answer: labelled as failed, never dialled again. */
  missed: number;
  /** Calls in which somebody spoke and of which no sound had been written yet when they were cut off. */
  unrecorded: number;
  /** How calls ended, counted. */
  ends: Record<string, number>;
  kills: number;
  /** How many of them hit a process that runs conversations. */
  conversationKills: number;
  /** Processes of conversations that outlived the service, and files of calls that a kill hit after their end was stored. */
  leftProcesses: number;
  leftFiles: number;
  seconds: number;
};

/** Runs the plan in a data folder of its own and reports what the database and the far end saw. */
export async function crashCalls(plan: CrashPlan): Promise<CrashReport> {
  const folder = await mkdtemp(join(tmpdir(), 'callwright-crash-'));
  const dialLog = join(folder, 'dialled.log');
  await writeFile(dialLog, '');
  const startedAt = performance.now();
  const trunk = plan.carrier === 'sip' ? await openCountingTrunk(plan.personOf) : undefined;
  // One for all processes in turn, as a trunk and its firewall know it.
  const sipPort = 20_000 + randomInt(9_000);
  await plan.makeDatabase?.(join(folder, 'data', 'db'));
  const start = (calls: number) =>
    startWorker({
      sip: trunk && { listen: `udp:127.0.0.1:${sipPort}`, trunk: trunk.uri },
      dataDir: join(folder, 'data'),
      dialLog,
      calls,
      databaseUrl: plan.databaseUrl,
      env: plan.env ?? {},
    });

  const first = start(plan.calls);
  await first.working;
  const workers = [first, ...Array.from({ length: plan.workers - 1 }, () => start(0))];
  let kills = 0;
  let conversationKills = 0;
  const seen = new Set<number>();
  while (kills < plan.kills && !workers.some((worker) => worker.hasEnded())) {
    if (trunk) await anotherPersonCalled(trunk);
    await delay((trunk ? 0 : 50) + Math.random() * 1_500);
    const index = Math.floor(Math.random() * workers.length);
    const victim = workers[index];
    if (!victim || victim.hasEnded()) break;
    for (const worker of workers) for (const pid of worker.conversationProcesses()) seen.add(pid);
    const [child] = victim.conversationProcesses();
    if (child !== undefined && Math.random() < 0.5) {
      if (!kill(child)) continue;
      kills += 1;
      conversationKills += 1;
      plan.say?.(`kill ${kills}: a process of conversations`);
      continue;
    }
    victim.process.kill('SIGKILL');
    await victim.exited;
    kills += 1;
    plan.say?.(`kill ${kills}`);
    const heir = start(0);
    workers[index] = heir;
    // The embedded database takes one process, and nothing is to be learnt from killing one that does not work yet.
    await heir.working;
  }
  const codes = await Promise.all(workers.map((worker) => worker.exited));
  if (codes.some((code) => code !== 0))
    throw new Error(`a worker failed: ${workers.map((worker) => worker.errors()).join('\n')}`);
  const report = await inspect(folder, dialLog, plan.databaseUrl);
  const leftProcesses = await countRunning(seen);
  const leftFiles = (await readdir(join(folder, 'data', 'conversations'))).length;
  await rm(folder, { recursive: true, force: true });
  const invites = trunk && (await countInvites(trunk));
  for (const open of trunk?.open() ?? []) plan.say?.(`left open: ${open}`);
  trunk?.close();
  return {
    ...report,
    ...(invites ? { invites } : {}),
    kills,
    conversationKills,
    leftProcesses,
    leftFiles,
    seconds: Math.round((performance.now() - startedAt) / 1000),
  };
}

/** Starting again takes longer than a call: a kill that hits nobody's call teaches nothing. */
async function anotherPersonCalled(trunk: CountingTrunk): Promise<void> {
  const before = trunk.invites().size;
  const until = performance.now() + 10_000;
  while (trunk.invites().size === before && performance.now() < until) await delay(20);
}

/** Who still rings or talks after a grace is stuck. */
async function countInvites(trunk: CountingTrunk): Promise<NonNullable<CrashReport['invites']>> {
  const until = performance.now() + STUCK_AFTER_MS;
  while (trunk.counts().open > 0 && performance.now() < until) await delay(100);
  const counted = [...trunk.invites().values()];
  const { answered, cancelled, open } = trunk.counts();
  return {
    people: counted.length,
    invites: counted.reduce((sum, count) => sum + count, 0),
    mostForOne: Math.max(0, ...counted),
    answered,
    cancelled,
    leftOpen: open,
  };
}

/** False where it is gone already. */
function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** Those that are not just waiting for somebody to notice their end (Linux: state Z). */
async function countRunning(pids: Iterable<number>): Promise<number> {
  let running = 0;
  for (const pid of pids) {
    const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z ');
    if (!status.includes(') Z ') && status.includes('node')) running += 1;
  }
  return running;
}

function startWorker(options: {
  sip: { listen: string; trunk: string } | undefined;
  dataDir: string;
  dialLog: string;
  calls: number;
  databaseUrl: string | undefined;
  env: Record<string, string>;
}) {
  const child: ChildProcess = spawn(process.execPath, [WORKER], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // An empty variable counts as unset, whatever the caller's environment holds.
    env: {
      ...process.env,
      ...options.env,
      DATA_DIR: options.dataDir,
      DATABASE_URL: options.databaseUrl ?? '',
      CRASH_DIAL_LOG: options.dialLog,
      CRASH_CALLS: String(options.calls),
      ...(options.sip && {
        SIP_LISTEN: options.sip.listen,
        SIP_TRUNK_URI: options.sip.trunk,
        CALLS_PER_SECOND: 'sip:3',
      }),
    },
  });
  let said = '';
  let conversationProcesses: number[] = [];
  child.stderr?.on('data', (part: Buffer) => (said += part.toString()));
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const working = new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (part: Buffer) => {
      said += part.toString();
      if (part.includes('working')) resolve();
      for (const [, list = ''] of part.toString().matchAll(/processes(.*)/g))
        conversationProcesses = list.split(' ').filter(Boolean).map(Number);
    });
    void exited.then((code) =>
      code === 0 ? resolve() : reject(new Error(`the worker ended early (${code}): ${said}`)),
    );
  });
  working.catch(() => undefined);
  return {
    process: child,
    exited,
    working,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    errors: () => said,
    conversationProcesses: () => conversationProcesses,
  };
}

async function inspect(folder: string, dialLog: string, databaseUrl: string | undefined) {
  const database = await openDatabase(
    databaseUrl ? { databaseUrl } : { dataDir: join(folder, 'data', 'db') },
  );
  try {
    const [counts] = await queryRows<Record<string, number>>(
      database.db,
      sql`select
        (select count(*)::int from calls) as calls,
        (select count(*)::int from calls where status = 'ended') as ended,
        (select count(*)::int from (select call_id from call_events where type = 'call.ended' group by call_id having count(*) > 1) twice) as ended_twice,
        (select count(*)::int from call_attempts) as attempts,
        (select count(*)::int from webhook_deliveries where kind = 'call') as webhooks,
        (select coalesce(sum(reserved_seconds), 0)::int from usage_months) as held,
        (select count(*)::int from calls where disposition = 'FAILED' and outcome->>'neverConnectedReason' = 'interrupted'
          and not exists (select 1 from call_events e where e.call_id = calls.id and e.type = 'carrier.accepted')) as missed,
        (select count(*)::int from calls where recording_key is null and exists (select 1 from turns where call_id = calls.id)) as unrecorded`,
    );
    const ends = await queryRows<{ reason: string; count: number }>(
      database.db,
      sql`select end_reason as reason, count(*)::int as count from calls group by end_reason order by 2 desc`,
    );
    const dialled = (await readFile(dialLog, 'utf8')).split('\n').filter((line) => line !== '');
    return {
      calls: counts?.calls ?? 0,
      ended: counts?.ended ?? 0,
      endedTwice: counts?.ended_twice ?? 0,
      dialledTwice: dialled.length - new Set(dialled).size,
      attempts: counts?.attempts ?? 0,
      webhooks: counts?.webhooks ?? 0,
      reservedSeconds: counts?.held ?? 0,
      missed: counts?.missed ?? 0,
      unrecorded: counts?.unrecorded ?? 0,
      ends: Object.fromEntries(ends.map(({ reason, count }) => [reason, count])),
    };
  } finally {
    await database.close();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [calls = 40, kills = 20, workers = 1] = process.argv.slice(2, 5).map(Number);
  const report = await crashCalls({
    calls,
    kills,
    workers,
    carrier: process.argv[5] === 'sip' ? 'sip' : 'simulated',
    databaseUrl: process.env.DATABASE_URL,
    say: (line) => console.log(line),
  });
  console.log(JSON.stringify(report, undefined, 2));
  const good =
    report.ended === report.calls &&
    report.endedTwice === 0 &&
    report.dialledTwice === 0 &&
    (report.invites
      ? report.invites.people + report.missed >= report.calls
      : report.missed <= report.kills) &&
    report.attempts === report.calls &&
    report.webhooks === report.calls &&
    report.reservedSeconds === 0 &&
    report.leftProcesses === 0 &&
    (report.invites?.mostForOne ?? 0) <= 1 &&
    (report.invites?.leftOpen ?? 0) === 0;
  console.log(good ? 'good' : 'BAD');
  process.exit(good ? 0 : 1);
}
