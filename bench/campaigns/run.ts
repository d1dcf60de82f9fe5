/**
 * A campaign over simulated numbers whose worker is killed (`kill -9`) in the middle, and counts afterwards: everybody
 * whom the check found callable was dialled once and nobody else, and no line is left behind.
 *
 *   npx node bench/campaigns/run.ts [people=10000] [kills=1] [workers=1]
 *
 * With DATABASE_URL (a fresh database) several workers share the campaign; without it one runs on the embedded database.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { openDatabase, queryRows } from '#db/client.ts';

const WORKER = new URL('./worker.ts', import.meta.url).pathname;
const [people = 10_000, kills = 1, workers = 1] = process.argv.slice(2).map(Number);
const databaseUrl = process.env.DATABASE_URL;
const folder = await mkdtemp(join(tmpdir(), 'callwright-campaign-'));
const dataDir = join(folder, 'data');
const startedAt = performance.now();
let said = 0;

/** A long run says how far it is, ten times. */
function sayProgress(placed: number): void {
  const tenth = Math.floor((placed / people) * 10);
  if (tenth <= said) return;
  said = tenth;
  console.log(`placed ${placed} after ${Math.round((performance.now() - startedAt) / 1000)} s`);
}

function start(peopleCount: number) {
  const child = spawn(process.execPath, [WORKER], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DATA_DIR: dataDir, CAMPAIGN_PEOPLE: String(peopleCount) },
  });
  const seen = { placed: 0, megabytes: 0 };
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const working = new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (part: Buffer) => {
      for (const line of part.toString().split('\n')) {
        const [word, first = '', second] = line.split(' ');
        if (word === 'made') console.log(line);
        if (word === 'working') resolve();
        if (word === 'placed') sayProgress((seen.placed = Number(first)));
        if (word === 'placed' || word === 'done') seen.megabytes = Number(second ?? first);
      }
    });
    void exited.then((code) => reject(new Error(`a worker ended early (${code})`)));
  });
  working.catch(() => undefined);
  return { child, seen, exited, working };
}

const first = start(people);
await first.working;
const running = [first, ...Array.from({ length: workers - 1 }, () => start(0))];
let megabytes = 0;
for (let kill = 1; kill <= kills; kill += 1) {
  const victim = running[kill % running.length] ?? first;
  await victim.working;
  const at = (people * kill) / (kills + 1);
  while (Math.max(...running.map(({ seen }) => seen.placed)) < at && victim.child.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 50));
  megabytes = Math.max(megabytes, ...running.map(({ seen }) => seen.megabytes));
  victim.child.kill('SIGKILL');
  await victim.exited;
  console.log(`killed at ${victim.seen.placed} placed`);
  running[running.indexOf(victim)] = start(0);
}
const codes = await Promise.all(running.map(({ exited }) => exited));
megabytes = Math.max(megabytes, ...running.map(({ seen }) => seen.megabytes));

const database = await openDatabase(databaseUrl ? { databaseUrl } : { dataDir: join(dataDir, 'db') });
const [counts] = await queryRows<Record<string, number>>(
  database.db,
  sql`select
    (select count(*)::int from campaign_people) as lines,
    (select callable_count from campaigns) as callable,
    (select count(*)::int from campaign_people where state = 'placed') as placed,
    (select count(*)::int from campaign_people where state = 'pending') as left_behind,
    (select count(*)::int from calls) as calls,
    (select count(*)::int from calls where status <> 'ended') as open,
    (select count(distinct human_phone_number)::int from calls) as numbers,
    (select count(*)::int from call_attempts) as attempts,
    (select count(*)::int from calls c where not exists (select from call_attempts a where a.call_id = c.id)) as undialled,
    (select count(*)::int from (select c.human_phone_number from call_attempts a join calls c on c.id = a.call_id
      group by 1 having count(*) > 1) twice) as dialled_twice,
    (select coalesce(sum(reserved_seconds), 0)::int from usage_months) as reserved_seconds`,
);
await database.close();
await rm(folder, { recursive: true, force: true });
const seconds = Math.round((performance.now() - startedAt) / 1000);
console.log(JSON.stringify({ ...counts, seconds, megabytes, codes }, undefined, 2));
const isGood =
  counts !== undefined &&
  counts.dialled_twice === 0 &&
  counts.left_behind === 0 &&
  counts.open === 0 &&
  counts.placed === counts.callable &&
  counts.numbers === counts.callable &&
  counts.calls === counts.callable &&
  counts.reserved_seconds === 0 &&
  codes.every((code) => code === 0);
console.log(isGood ? 'good' : 'BAD');
process.exit(isGood ? 0 : 1);
