/**
 * How long the overview takes over a million conversations on PostgreSQL: the first time, when its days are added up, and
 * then, with a conversation that ended since the last look; and the results of an agent's versions side by side, from the
 * middle of a day on.
 *
 *   node bench/million/overview.ts [--database=URL] [--count=1000000] [--times=9]
 *
 * Medians, and the best of the times. Beside them a plain sum over the conversations of the same days.
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { sql } from 'drizzle-orm';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { systemActor } from '#lib/auth/mint.ts';
import { createOverviewService } from '#lib/features/overview/service.ts';
import { median } from '../median.ts';
import { AGENTS, LARGE } from './data.ts';
import { openMillion } from './open.ts';

const { values: options } = parseArgs({
  options: {
    database: { type: 'string' },
    count: { type: 'string', default: '1000000' },
    times: { type: 'string', default: '9' },
  },
});
const million = await openMillion({ database: options.database, count: Number(options.count) });
const { db } = million.database;
const overview = createOverviewService({ db, clock: systemClock });
const actor = systemActor(LARGE.workspaceId, 'bench');
const RANGES = [1, 7, 30, 90, 365];

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function times(work: () => Promise<unknown>, before: () => Promise<unknown> = async () => {}) {
  const took: number[] = [];
  for (let count = 0; count < Number(options.times); count += 1) {
    await before();
    took.push(await time(work));
  }
  return `${median(took).toFixed(1)} ms (best ${Math.min(...took).toFixed(1)})`;
}

const changeNewest = () =>
  db.execute(sql`update calls set cost = cost + 0.01 where id = (
    select id from calls where workspace_id = ${LARGE.workspaceId} and status = 'ended' and not is_test
    order by date_initiated desc limit 1)`);
const plainSum = (days: number) =>
  db.execute(sql`select date_trunc('day', date_initiated), agent_id, disposition, count(*), sum(cost), sum(duration_seconds)
    from calls where workspace_id = ${LARGE.workspaceId} and status = 'ended' and not is_test
      and date_initiated > now() - ${2 * days}::int * interval '1 day' group by 1, 2, 3`);

const ofVersions = (days: number) =>
  overview.ofVersions(actor.workspaceId, {
    agentId: `agent_${AGENTS[0]}`,
    startsAt: new Date(Date.now() - days * 86_400_000),
    endsAt: null,
    always: [],
    limit: 5,
  });

await db.execute(sql`delete from figure_days`);
await db.execute(sql`delete from day_figures`);
for (const days of RANGES)
  console.log(
    `${days} days, days that are new: ${(await time(() => overview.get(actor, { days }))).toFixed(0)} ms`,
  );
for (const days of RANGES) {
  console.log(`${days} days: ${await times(() => overview.get(actor, { days }))}`);
  console.log(`  with a change today: ${await times(() => overview.get(actor, { days }), changeNewest)}`);
  console.log(`  the versions of an agent: ${await times(() => ofVersions(days))}`);
  console.log(`  a plain sum: ${await times(() => plainSum(days))}`);
}
console.log(`load average ${(loadavg()[0] ?? 0).toFixed(1)}`);
await million.close();
