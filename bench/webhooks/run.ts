import { setTimeout as delay } from 'node:timers/promises';
import { registerWebhookJobs } from '#lib/features/webhooks/jobs.ts';
import { cpuSeconds, loadNow, setUp } from './setup.ts';

/**
 * `npx node bench/webhooks/run.ts [calls per second] [seconds] [hanging workspaces]`: calls of twenty workspaces end at a
 * steady rate; how soon do their webhooks arrive, and does any arrive twice? Hanging workspaces end calls at the
 * same rate each as the others, to a receiver that never answers.
 */
const perSecond = Number(process.argv[2] ?? 200);
const seconds = Number(process.argv[3] ?? 10);
const hanging = Number(process.argv[4] ?? 0);
const WORKSPACES = 20;

const bench = await setUp({ answered: WORKSPACES, hanging });
await registerWebhookJobs(bench.queue, bench.sending, { isOnlyProcess: true });

const endedAt = new Map<string, number>();
const startedAt = Date.now();
const cpuBefore = process.cpuUsage();
const ends: Promise<void>[] = [];
const total = Math.round((perSecond * seconds * bench.places.length) / WORKSPACES);

async function endCall(number: number): Promise<void> {
  const place = bench.places[number % bench.places.length];
  if (!place) return;
  const id = await bench.endCall(place);
  if (!place.hangs) endedAt.set(id, Date.now());
}

for (let number = 0; number < total; number++) {
  const dueAt = startedAt + (number * seconds * 1000) / total;
  if (dueAt > Date.now()) await delay(dueAt - Date.now());
  ends.push(endCall(number));
}
await Promise.all(ends);
const offeredMs = Date.now() - startedAt;

let arrivals = await bench.readArrivals();
const giveUpAt = Date.now() + 60_000;
while (arrivals.size < endedAt.size && Date.now() < giveUpAt) {
  await delay(200);
  arrivals = await bench.readArrivals();
}
const waits = [...endedAt]
  .map(([id, at]) => (arrivals.get(id)?.[0] ?? Infinity) - at)
  .sort((first, second) => first - second);
const quantile = (share: number) => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))];
const lastAt = Math.max(...[...arrivals.values()].map((times) => times[0] ?? 0));
console.log(
  JSON.stringify({
    database: bench.databaseKind,
    hangingWorkspaces: hanging,
    callsEnded: endedAt.size,
    endedPerSecond: Math.round((endedAt.size * 1000) / offeredMs),
    arrivedPerSecond: Math.round((arrivals.size * 1000) / (lastAt - startedAt)),
    missing: endedAt.size - arrivals.size,
    twice: [...arrivals.values()].filter((times) => times.length > 1).length,
    waitMs: { p50: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99), max: waits.at(-1) },
    cpuSeconds: cpuSeconds(cpuBefore),
    load: loadNow(),
  }),
);
await bench.close();
