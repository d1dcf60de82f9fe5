/**
 * Kills the processes that place calls and those in which their conversations run (`kill -9`, at random moments), starts
 * again what does not start again by itself, and counts afterwards: every call ended once, nobody was dialled twice, one
 * attempt and one webhook per call, no usage left held, nothing left of any process.
 *
 *   node bench/calls/crash.ts [calls=40] [kills=20] [workers=1]
 *
 * With DATABASE_URL (a fresh database) several workers race on PostgreSQL; without it one runs on the embedded database.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { sql } from 'drizzle-orm';
import { openDatabase, queryRows } from '#db/client.ts';

const WORKER = new URL('./crash-worker.ts', import.meta.url).pathname;

export type CrashPlan = {
  calls: number;
  kills: number;
  workers: number;
  databaseUrl?: string | undefined;
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
  /** Calls that a kill hit between the attempt and the carrier's answer: labelled as failed, never dialled again. */
  missed: number;
  /** Calls in which somebody spoke and of which no sound had been written yet when they were cut off. */
  unrecorded: number;
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
  const start = (calls: number) =>
    startWorker({
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
    await delay(50 + Math.random() * 1_500);
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
  return {
    ...report,
    kills,
    conversationKills,
    leftProcesses,
    leftFiles,
    seconds: Math.round((performance.now() - startedAt) / 1000),
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
    };
  } finally {
    await database.close();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [calls = 40, kills = 20, workers = 1] = process.argv.slice(2).map(Number);
  const report = await crashCalls({
    calls,
    kills,
    workers,
    databaseUrl: process.env.DATABASE_URL,
    say: (line) => console.log(line),
  });
  console.log(JSON.stringify(report, undefined, 2));
  const good =
    report.ended === report.calls &&
    report.endedTwice === 0 &&
    report.dialledTwice === 0 &&
    report.missed <= report.kills &&
    report.attempts === report.calls &&
    report.webhooks === report.calls &&
    report.reservedSeconds === 0 &&
    report.leftProcesses === 0;
  console.log(good ? 'good' : 'BAD');
  process.exit(good ? 0 : 1);
}
