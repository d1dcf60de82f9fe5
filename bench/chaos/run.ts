/**
 * The kill suite (docs/chaos.md): four workers with folders of their own beside one PostgreSQL and one bucket, while calls,
 * documents and webhooks go through them; processes are killed at every named point and at any moment, the database is
 * restarted, the network to the carrier cut, clocks jump, disks fill up. Then it counts what was promised.
 *
 *   npm run test:chaos -- [kills, 100] [seed, 1] [minutes, 10] [workers, 4]
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { randomInt } from 'node:crypto';
import { removeOrphanFiles } from '#lib/features/knowledge/documents/sweep/service.ts';
import { createS3Storage } from '#lib/adapters/storage/s3.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { createLogger } from '#lib/log.ts';
import { createDice, createFaults, type Fault, POINTS } from './faults.ts';
import { findFaults } from './inspect.ts';
import { createSlot, type KeptTurn, type Slot } from './slot.ts';
import { mountDisk, openSurroundings, type Surroundings } from './surroundings.ts';
import { type Longest, watchForStuck } from './watch.ts';

const POINT_WITHIN_MS = 6_000;
const CUT_MS = 3_000;
const FULL_MS = 3_000;
/** After the last fault: the longest lease, and what is done then. */
const QUIET_WITHIN_MS = 60_000;
/** A process that says goodbye is waited for, nine seconds for each of its calls. */
const REMOVED_WITHIN_MS = 60_000;

export type ChaosPlan = {
  kills: number;
  seed: number;
  minutes: number;
  workers: number;
  say?: (line: string) => void;
};

export type ChaosReport = {
  kills: number;
  byFault: Partial<Record<Fault, number>>;
  /** Kills at each named point. */
  byPoint: Record<string, number>;
  notReached: number;
  longest: Longest;
  counts: Record<string, number>;
  faults: string[];
  /** What workers logged as errors, with how often: expected where something was taken from them, worth a look all the same. */
  errors: Record<string, number>;
  seconds: number;
};

export async function runChaos(plan: ChaosPlan): Promise<ChaosReport> {
  const say = plan.say ?? (() => {});
  const startedAt = performance.now();
  const dice = createDice(plan.seed);
  const folder = await mkdtemp(join(tmpdir(), 'callwright-chaos-'));
  const around = await openSurroundings(createDice(plan.seed + 1), say);
  const turns: KeptTurn[] = [];
  const disks: NonNullable<Awaited<ReturnType<typeof mountDisk>>>[] = [];
  const dialLog = join(folder, 'dialled');
  const sipPort = 21_000 + randomInt(5_000);
  const slots: Slot[] = [];
  for (let index = 0; index < plan.workers; index += 1) {
    const slot = createSlot({
      index,
      folder: join(folder, `worker-${index}`),
      env: {
        ...around.env,
        CHAOS_DIALLED: dialLog,
        SIP_LISTEN: `udp:127.0.0.1:${sipPort + index}`,
        NODE_COMPILE_CACHE: join(tmpdir(), 'callwright-chaos-compiled'),
      },
      onTurns: (kept) => turns.push(...kept),
    });
    const disk = await mountDisk(slot.dataDir);
    if (disk) disks.push(disk);
    slots.push(slot);
  }
  const watch = watchForStuck(around.server.url);
  const done = { kills: 0, notReached: 0, byFault: {} as Partial<Record<Fault, number>> };
  try {
    await Promise.all(slots.map((slot) => slot.bringUp()));
    say(`${slots.length} workers work after ${Math.round((performance.now() - startedAt) / 1000)} s`);
    await bringFaults({ plan, dice, slots, around, disks, done, startedAt, say });
    await writeFile(join(folder, 'over'), '');
    await untilQuiet(slots, watch.openCount);
    const report = await conclude({ folder, slots, around, turns, dialLog, watch });
    return { ...done, ...report, seconds: Math.round((performance.now() - startedAt) / 1000) };
  } finally {
    await watch.stop();
    await Promise.all(slots.map((slot) => slot.stop()));
    for (const disk of disks) await disk.unmount().catch(() => undefined);
    await around.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Each worker has its faults one after the other, all workers side by side; those of the surroundings come in between. */
async function bringFaults(given: {
  plan: ChaosPlan;
  dice: () => number;
  slots: readonly Slot[];
  around: Surroundings;
  disks: readonly { fill(): Promise<void>; free(): Promise<void> }[];
  done: { kills: number; notReached: number; byFault: Partial<Record<Fault, number>> };
  startedAt: number;
  say: (line: string) => void;
}): Promise<void> {
  const { plan, dice, slots, around, disks, done } = given;
  const faults = createFaults(dice, { without: disks.length === 0 ? ['disk'] : [] });
  const until = performance.now() + plan.minutes * 60_000;
  const isOver = () => done.kills >= plan.kills || performance.now() >= until;

  async function bring(slot: Slot): Promise<void> {
    const fault = faults.next();
    const isDone = await bringOne(slot, fault);
    if (!isDone) return void (done.notReached += 1);
    done.byFault[fault] = (done.byFault[fault] ?? 0) + 1;
    if (fault === 'point' || fault === 'worker' || fault === 'conversations') done.kills += 1;
    if (done.kills % 25 === 0)
      given.say(`${done.kills} kills, ${Math.round((performance.now() - given.startedAt) / 1000)} s`);
  }

  async function bringOne(slot: Slot, fault: Fault): Promise<boolean> {
    switch (fault) {
      case 'point':
        return slot.killAt(faults.nextPoint(), POINT_WITHIN_MS);
      case 'worker':
        await delay(dice() * 500);
        await slot.killWorker();
        return true;
      case 'conversations':
        await delay(dice() * 500);
        return slot.killConversations();
      case 'database':
        await around.server.restart();
        return true;
      case 'network':
        around.trunk.setCut(true);
        await delay(CUT_MS);
        around.trunk.setCut(false);
        return true;
      case 'clock':
        slot.jumpClock();
        return true;
      case 'disk':
        await disks[slot.index]?.fill();
        await delay(FULL_MS);
        await disks[slot.index]?.free();
        return true;
    }
  }

  await Promise.all(
    slots.map(async (slot) => {
      while (!isOver()) {
        if (slot.hasEnded()) await slot.again();
        await bring(slot);
      }
    }),
  );
}

async function countLeftFiles(slots: readonly Slot[]): Promise<number> {
  const folders = slots.map(({ dataDir }) => readdir(join(dataDir, 'conversations')).catch(() => []));
  return (await Promise.all(folders)).flat().length;
}

async function untilQuiet(slots: readonly Slot[], openCount: () => number): Promise<void> {
  const until = performance.now() + QUIET_WITHIN_MS;
  // Uploads end by themselves; their rows are counted as well.
  await delay(2_000);
  while (openCount() > 0 && performance.now() < until) await delay(200);
  // Files of ended calls are removed every ten seconds.
  const removedBy = performance.now() + REMOVED_WITHIN_MS;
  while ((await countLeftFiles(slots)) > 0 && performance.now() < removedBy) await delay(200);
}

async function conclude(given: {
  folder: string;
  slots: readonly Slot[];
  around: Surroundings;
  turns: readonly KeptTurn[];
  dialLog: string;
  watch: ReturnType<typeof watchForStuck>;
}): Promise<Pick<ChaosReport, 'faults' | 'counts' | 'longest' | 'byPoint' | 'errors'>> {
  const { slots, around, watch } = given;
  // What a crash left in the storage is swept after a quarter of an hour: as if that had passed.
  Object.assign(process.env, around.bucket.credentials);
  const storage = createS3Storage({
    bucket: 'chaos',
    prefix: 'kept',
    endpoint: around.bucket.endpoint,
    region: 'us-east-1',
  });
  const later = { ...systemClock, now: () => new Date(Date.now() + 3_600_000) };
  const log = createLogger('silent');
  await removeOrphanFiles({ db: around.database.db, clock: later, log, storage });
  const longest = watch.longest();
  const { faults, counts } = await findFaults({
    database: around.database,
    slots,
    dialLog: given.dialLog,
    invites: around.trunk.invites(),
    webhooks: around.webhooks,
    turns: given.turns,
    storedKeys: around.bucket.keys().map((key) => key.replace(/^kept\//, '')),
    longestSeconds: longest.seconds,
  });
  const open = around.trunk.open();
  if (open.length > 0) faults.push(`${open.length} telephones still ring or talk: ${open[0]}`);
  return { faults, counts, longest, byPoint: await countPoints(slots), errors: countErrors(slots) };
}

function countErrors(slots: readonly Slot[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const line of slots.flatMap(({ errors }) => errors)) {
    const event = /"event":"(\w+)"/.exec(line)?.[1];
    const error = (/"error":"([^"\\]{0,80})/.exec(line)?.[1] ?? '').replace(/ cnv_\w+/, '');
    const name = event ? `${event}: ${error}` : line.slice(0, 3_000);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

async function countPoints(slots: readonly Slot[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = Object.fromEntries(POINTS.map((point) => [point, 0]));
  for (const { folder } of slots) {
    const text = await readFile(join(folder, 'deaths'), 'utf8').catch(() => '');
    for (const line of text.split('\n').filter(Boolean)) {
      const point = line.split(' ')[0] ?? '';
      counts[point] = (counts[point] ?? 0) + 1;
    }
  }
  return counts;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const given = process.argv.slice(2).map(Number);
  if (given.some((number) => !(number > 0))) {
    console.error('Numbers in this order: kills, seed, minutes, workers');
    process.exit(2);
  }
  const [kills = 100, seed = 1, minutes = 10, workers = 4] = given;
  const report = await runChaos({ kills, seed, minutes, workers, say: (line) => console.log(line) });
  console.log(JSON.stringify(report, undefined, 2));
  console.log(report.faults.length === 0 ? 'good' : 'BAD');
  process.exit(report.faults.length === 0 ? 0 : 1);
}
