import { cpuSeconds, loadNow, setUp } from './setup.ts';

/** `npx node bench/webhooks/backlog.ts [webhooks]`: how fast are webhooks sent that wait already, of twenty workspaces? */
const size = Number(process.argv[2] ?? 1000);

const bench = await setUp({ answered: 20, hanging: 0 });
for (let number = 0; number < size; number++) {
  const place = bench.places[number % bench.places.length];
  if (place) await bench.endCall(place);
}
const startedAt = performance.now();
const cpuBefore = process.cpuUsage();
bench.sending.wake();
await bench.sending.idle();
const tookMs = performance.now() - startedAt;
const arrivals = await bench.readArrivals();
console.log(
  JSON.stringify({
    database: bench.databaseKind,
    sent: arrivals.size,
    twice: [...arrivals.values()].filter((times) => times.length > 1).length,
    sentPerSecond: Math.round((arrivals.size * 1000) / tookMs),
    cpuSeconds: cpuSeconds(cpuBefore),
    load: loadNow(),
  }),
);
await bench.close();
