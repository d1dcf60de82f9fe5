import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { openTestDatabase } from '#db/testing.ts';
import setup from '#db/testing-setup.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { createPgBossQueue } from '#lib/adapters/queue/pg-boss.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { systemIds } from '#lib/adapters/system/ids.ts';
import { registerWebhookJobs, webhookWaiting } from '#lib/features/webhooks/jobs.ts';
import { createWebhookSending } from '#lib/features/webhooks/sending/service.ts';
import { createWebhookService } from '#lib/features/webhooks/service.ts';
import { addAgent, addEndedCall, addWorkspace } from '#lib/features/webhooks/testing.ts';
import { createSender } from '#lib/outgoing/sender.ts';

/**
 * `node bench/webhooks/run.ts [calls per second] [seconds] [hanging workspaces]`: calls of twenty workspaces end at a
 * steady rate, each in its transaction with its delivery and job; how fast do their webhooks arrive, and does any
 * twice? Embedded database, or the server of TEST_DATABASE_URL. Hanging workspaces end calls at the same rate each
 * as the others, to a receiver that never answers.
 */
const perSecond = Number(process.argv[2] ?? 200);
const seconds = Number(process.argv[3] ?? 10);
const hangingCount = Number(process.argv[4] ?? 0);
const WORKSPACES = 20;

if (!process.env.TEST_DATABASE_URL) await setup();
const receiver = spawn(process.execPath, [new URL('./receiver.ts', import.meta.url).pathname], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [line] = (await once(receiver.stdout, 'data')) as [Buffer];
const origin = `http://127.0.0.1:${line.toString().trim()}`;

const database = await openTestDatabase();
const log = pino({ level: 'warn' });
const queue = createPgBossQueue(database, log);
const env = { webhookAllowlist: ['127.0.0.0/8'] };
const deps = {
  db: database.db,
  clock: systemClock,
  ids: systemIds,
  env,
  queue,
  log,
  sender: createSender({ allowlist: env.webhookAllowlist }),
  signRecordingUrl: (call: { id: string }) => `https://calls.example.com/api/recordings/${call.id}`,
};
const service = createWebhookService(deps);
const sending = createWebhookSending(deps);
await queue.start();
await queue.ensure(webhookWaiting);
await registerWebhookJobs(queue, sending, { isOnlyProcess: true });

const places: { actor: Actor; workspaceId: string; agentId: string; hangs: boolean }[] = [];
for (let index = 0; index < WORKSPACES + hangingCount; index++) {
  const hangs = index >= WORKSPACES;
  const actor = await addWorkspace(database.db, `ws_${index}`, `${origin}/${hangs ? 'hang' : 'hook'}`);
  await addAgent(database.db, `ws_${index}`, `agent_${index}`);
  places.push({ actor, workspaceId: `ws_${index}`, agentId: `agent_${index}`, hangs });
}

const transcript = 'Agent: Good morning, this is a reminder.\nHuman: Thank you, that suits me well.\n'.repeat(
  25,
);
const endedAt = new Map<string, number>();
const startedAt = Date.now();
const ends: Promise<void>[] = [];
const total = Math.round((perSecond * seconds * places.length) / WORKSPACES);

async function endCall(number: number): Promise<void> {
  const place = places[number % places.length];
  if (!place) return;
  const id = systemIds.next('cnv');
  await database.db.transaction(async (tx) => {
    await addEndedCall(tx as never, {
      id,
      workspaceId: place.workspaceId,
      agentId: place.agentId,
      transcript,
    });
    await service.callEnded(tx as never, place.actor.workspaceId, id);
  });
  if (!place.hangs) endedAt.set(id, Date.now());
}

for (let number = 0; number < total; number++) {
  const dueAt = startedAt + (number * seconds * 1000) / total;
  if (dueAt > Date.now()) await delay(dueAt - Date.now());
  ends.push(endCall(number));
}
await Promise.all(ends);
const offeredMs = Date.now() - startedAt;

let arrivals = new Map<string, number[]>();
const giveUpAt = Date.now() + 60_000;
while (arrivals.size < endedAt.size && Date.now() < giveUpAt) {
  await delay(200);
  arrivals = new Map((await (await fetch(origin)).json()) as [string, number[]][]);
}
const waits = [...endedAt].map(([id, at]) => (arrivals.get(id)?.[0] ?? Infinity) - at).sort((a, b) => a - b);
const quantile = (share: number) => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))];
const last = Math.max(...[...arrivals.values()].map((times) => times[0] ?? 0));
console.log(
  JSON.stringify({
    database: database.pglite ? 'embedded' : 'postgresql',
    hangingWorkspaces: hangingCount,
    callsEnded: endedAt.size,
    offeredPerSecond: Math.round((endedAt.size * 1000) / offeredMs),
    arrivedPerSecond: Math.round((arrivals.size * 1000) / (last - startedAt)),
    missing: endedAt.size - arrivals.size,
    twice: [...arrivals.values()].filter((times) => times.length > 1).length,
    waitMs: { p50: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99), max: waits.at(-1) },
    cpuSeconds:
      Math.round(process.cpuUsage().user / 1e5) / 10 + Math.round(process.cpuUsage().system / 1e5) / 10,
  }),
);
receiver.kill();
await queue.stop(2000);
await sending.stop();
await database.close();
