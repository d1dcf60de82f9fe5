import { pino } from 'pino';
import { openDatabase } from '#db/client.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { createSender } from '#lib/outgoing/sender.ts';
import { noMetrics } from '#lib/ports/metrics.ts';
import { noTracer } from '#lib/ports/tracer.ts';
import { createWebhookSending } from './service.ts';

// A process that sends what waits, for the test that kills it: `node testing-child.ts '{"dataDir": "…"}'`.
const where = JSON.parse(process.argv[2] ?? '{}') as { databaseUrl: string } | { dataDir: string };
const database = await openDatabase(where);
const sending = createWebhookSending({
  db: database.db,
  clock: systemClock,
  log: pino({ level: 'silent' }),
  metrics: noMetrics,
  tracer: noTracer,
  sender: createSender({ allowlist: ['127.0.0.0/8'] }),
  signRecordingUrl: (call) => `https://calls.example.com/${call.id}.wav`,
});
sending.wake();
await sending.idle();
await database.close();
