/**
 * One process of the service without its pages, made to be killed in the middle of a campaign (`run.ts`). The first one
 * makes the campaign (`CAMPAIGN_PEOPLE`) and says how long that took; each ends by itself when the campaign is over.
 */
import { campaigns } from '#db/schema/campaigns.ts';
import { setRuntime } from '#lib/current-runtime.ts';
import { parseEnv } from '#lib/env.ts';
import { seedLine } from '#lib/features/calls/testing.ts';
import { createLogger } from '#lib/log.ts';
import { openDependencies } from '#lib/runtime-dependencies.ts';
import { buildRuntime } from '#lib/runtime.ts';

const peopleCount = Number(process.env.CAMPAIGN_PEOPLE ?? 0);
Object.assign(process.env, { SIMULATION_SPEED: '0', LOG_LEVEL: 'silent' });
const env = parseEnv({
  DATA_DIR: process.env.DATA_DIR,
  DATABASE_URL: process.env.DATABASE_URL,
  SIMULATION_SPEED: '0',
  LOG_LEVEL: 'silent',
  CONVERSATION_PROCESSES: '1',
});
const runtime = buildRuntime(await openDependencies(env, createLogger(env.logLevel)));
await runtime.queue.start();
setRuntime(runtime);

if (peopleCount > 0) {
  const line = await seedLine(runtime.db, 'campaign', {
    workspace: { maxConcurrentCalls: 40, webhookUrl: null },
    agent: { hasPostConversationWebhook: false },
    number: { maxConcurrentCalls: 40 },
  });
  const startedAt = performance.now();
  const campaign = await runtime.campaigns.intake.create(line.actor, {
    name: 'Ten thousand',
    from: line.number,
    callsPerMinute: 6_000,
    people: Array.from({ length: peopleCount }, (_, index) => personAt(index)),
    start: true,
  });
  const ms = Math.round(performance.now() - startedAt);
  const { callable } = campaign.counts;
  const { faulty, duplicate } = campaign.progress;
  process.stdout.write(`made ${JSON.stringify({ ms, callable, faulty, duplicate })}\n`);
}

/** 2 % have no number and 1 % somebody else's; one in ten talks, the others are busy or do not answer. */
function personAt(index: number): { number: string; variables: Record<string, string> } {
  const behaviour = ['00', '08', '08', '07', '08', '08', '07', '08', '08', '08'][index % 10];
  const variables = { name: `Person ${index}` };
  if (index % 50 === 7) return { number: `none ${index}`, variables };
  if (index % 100 === 31) return { ...personAt(index - 1), variables };
  return { number: `+1555${String(index).padStart(5, '0')}${behaviour}`, variables };
}

await runtime.startWorker();
await runtime.conversationHost.ready(new AbortController().signal);
process.stdout.write('working\n');
let highestBytes = 0;
for (;;) {
  highestBytes = Math.max(highestBytes, process.memoryUsage.rss());
  const [row] = await runtime.db.select().from(campaigns);
  if (!row || row.state === 'finished') break;
  if (row.state !== 'running') throw new Error(`the campaign is ${row.state}: ${row.pauseReason}`);
  process.stdout.write(`placed ${row.placedCount} ${Math.round(highestBytes / 1e6)}\n`);
  await runtime.clock.sleep(250);
}
process.stdout.write(`done ${Math.round(highestBytes / 1e6)}\n`);
await runtime.stop(10_000);
process.exit(0);
