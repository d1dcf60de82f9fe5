/**
 * Loses power again and again while calls and documents come in, and counts afterwards: all that was answered for is there,
 * nobody was dialled twice, every call ended. Needs root: the data lies on a file system of its own (ext4 on a loop device),
 * which is shut down without what it has not written yet (EXT4_IOC_SHUTDOWN).
 *
 *   node bench/power/run.ts [losses=30]
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { openDatabase, queryRows } from '#db/client.ts';
import { sql } from 'drizzle-orm';

const WORKER = new URL('./worker.ts', import.meta.url).pathname;
const SIZE_MB = 1_500;
/** `EXT4_IOC_SHUTDOWN` with `EXT4_GOING_FLAGS_NOLOGFLUSH`: nothing that waits is written any more. */
const SHUT_DOWN =
  'open(F, "<", $ARGV[0]) or die $!; my $how = pack("L", 2); ioctl(F, 0x8004587d, $how) or die $!';
const MOST_RUN_MS = 4_000;

type PowerReport = {
  losses: number;
  /** Starts after a loss that failed, with what they said. */
  unopened: string[];
  /** What was answered for, and how much of it is gone. */
  calls: number;
  lostCalls: number;
  documents: number;
  lostDocuments: number;
  ends: number;
  lostEnds: number;
  dialled: number;
  dialledTwice: number;
  unended: number;
  seconds: number;
};

/** Why power cannot be lost here; undefined where it can. */
export function whyNoPowerLoss(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'this needs root on Linux';
  for (const tool of ['/usr/sbin/mkfs.ext4', '/usr/bin/perl', '/dev/loop-control'])
    if (!existsSync(tool)) return `this needs ${tool}`;
  return undefined;
}

const run = (command: string, ...given: string[]) => void execFileSync(command, given, { stdio: 'pipe' });

/** A file system that can lose power. */
function openMachine(folder: string) {
  const image = join(folder, 'disk');
  const disk = join(folder, 'mounted');
  const mount = () => run('mount', '-o', 'loop', image, disk);
  return {
    disk,
    async make(): Promise<void> {
      await mkdir(disk);
      run('truncate', '-s', `${SIZE_MB}M`, image);
      run('mkfs.ext4', '-q', '-F', image);
      mount();
    },
    losePower: () => run('perl', '-e', SHUT_DOWN, disk),
    restart(): void {
      run('umount', disk);
      mount();
    },
    close: () => run('umount', disk),
  };
}

type Acknowledged = Record<'call' | 'document' | 'ended', Set<string>>;

export async function losePower({
  losses,
  say = () => {},
}: {
  losses: number;
  say?: (line: string) => void;
}): Promise<PowerReport> {
  const startedAt = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'callwright-power-'));
  const machine = openMachine(folder);
  const dialLog = join(folder, 'dialled.log');
  await writeFile(dialLog, '');
  await machine.make();
  const acknowledged: Acknowledged = { call: new Set(), document: new Set(), ended: new Set() };
  const unopened: string[] = [];
  const dataDir = join(machine.disk, 'data');
  try {
    for (let loss = 1; loss <= losses; loss += 1) {
      const worker = startWorker({ dataDir, dialLog, round: loss }, acknowledged);
      const failure = await worker.working;
      if (failure !== undefined) unopened.push(failure);
      await delay(500 + Math.random() * MOST_RUN_MS);
      machine.losePower();
      await worker.kill();
      machine.restart();
      say(`loss ${loss}: ${acknowledged.call.size} calls, ${acknowledged.document.size} documents`);
    }
    const last = startWorker({ dataDir, dialLog, round: losses, isBack: true }, acknowledged);
    const failure = await last.ended;
    if (failure !== undefined) unopened.push(failure);
    const found = await compare(dataDir, acknowledged);
    const dialled = (await readFile(dialLog, 'utf8')).split('\n').filter((line) => line !== '');
    return {
      losses,
      unopened,
      ...found,
      dialled: dialled.length,
      dialledTwice: dialled.length - new Set(dialled).size,
      seconds: Math.round((performance.now() - startedAt) / 1_000),
    };
  } finally {
    machine.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function startWorker(
  given: { dataDir: string; dialLog: string; round: number; isBack?: boolean },
  acknowledged: Acknowledged,
) {
  const child = spawn(process.execPath, [WORKER], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      DATA_DIR: given.dataDir,
      CRASH_DIAL_LOG: given.dialLog,
      POWER_ROUND: String(given.round),
      SIMULATION_SPEED: '20',
      LOG_LEVEL: 'silent',
      ...(given.isBack ? { POWER_IS_BACK: '1' } : {}),
    },
  });
  let errors = '';
  let processes: number[] = [];
  child.stderr.on('data', (part: Buffer) => (errors += part.toString()));
  const closed = once(child, 'close') as Promise<[number | null]>;
  const ended = closed.then(([code]) => (code === 0 ? undefined : `ended with ${code}: ${errors}`));
  const working = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [kind = '', ...rest] = line.split(' ');
      if (kind === 'working') resolve();
      if (kind === 'processes') processes = rest.map(Number);
      if (kind === 'call' || kind === 'document' || kind === 'ended') acknowledged[kind].add(rest.join(' '));
    });
  });
  return {
    working: Promise.race([working.then(() => undefined), ended]),
    ended,
    async kill(): Promise<void> {
      for (const pid of [child.pid ?? 0, ...processes]) endProcess(pid);
      await closed;
      while (processes.some(isRunning)) await delay(20);
    },
  };
}

function endProcess(pid: number): void {
  try {
    if (pid > 0) process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already: a database that cannot be written ends its service.
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function compare(dataDir: string, { call, document, ended }: Acknowledged) {
  const database = await openDatabase({ dataDir: join(dataDir, 'db') });
  try {
    const rows = await queryRows<{ id: string; status: string }>(
      database.db,
      sql`select id, status from calls`,
    );
    const files = await queryRows<{ id: string; key: string }>(
      database.db,
      sql`select id, storage_key as key from documents where status <> 'FAILED'`,
    );
    const known = new Map(rows.map(({ id, status }) => [id, status]));
    const stored = new Set(
      files.filter(({ key }) => existsSync(join(dataDir, 'storage', key))).map(({ id }) => id),
    );
    const count = (ids: Set<string>, isLost: (id: string) => boolean) => [...ids].filter(isLost).length;
    return {
      calls: call.size,
      lostCalls: count(call, (id) => !known.has(id)),
      documents: document.size,
      lostDocuments: count(document, (id) => !stored.has(id)),
      ends: ended.size,
      lostEnds: count(ended, (id) => known.get(id) !== 'ended'),
      unended: rows.filter(({ status }) => status !== 'ended').length,
    };
  } finally {
    await database.close();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const why = whyNoPowerLoss();
  if (why !== undefined) throw new Error(why);
  const report = await losePower({ losses: Number(process.argv[2] ?? 30), say: (line) => console.log(line) });
  console.log(JSON.stringify(report, undefined, 2));
}
