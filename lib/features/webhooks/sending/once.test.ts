/** @module-tag postgres */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { type OpenDatabase, openDatabase } from '#db/client.ts';
import { createEmbeddedTestDatabase, hasPostgres, openTestDatabase } from '#db/testing.ts';
import { webhookDeliveries } from '#db/schema/webhooks.ts';
import { systemIds } from '#lib/adapters/system/ids.ts';
import { manualClock } from '#lib/ports/testing.ts';
import { createSender } from '#lib/outgoing/sender.ts';
import { noMetrics } from '#lib/ports/metrics.ts';
import { noTracer } from '#lib/ports/tracer.ts';
import { createWebhookService } from '../service.ts';
import {
  addAgent,
  addEndedCall,
  addWorkspace,
  notingQueue,
  type Received,
  startReceiver,
} from '../testing.ts';
import { createWebhookSending } from './service.ts';

const CHILD = new URL('./testing-child.ts', import.meta.url).pathname;

function build(database: OpenDatabase, now = new Date()) {
  const clock = manualClock(now);
  const env = { webhookAllowlist: ['127.0.0.0/8'] };
  const sender = createSender({ allowlist: env.webhookAllowlist });
  const deps = {
    db: database.db,
    clock,
    ids: systemIds,
    env,
    queue: notingQueue(),
    sender,
    log: pino({ level: 'silent' }),
    metrics: noMetrics,
    tracer: noTracer,
  };
  const sending = createWebhookSending({
    ...deps,
    signRecordingUrl: (call) => `https://calls.example.com/${call.id}.wav`,
  });
  return { service: createWebhookService(deps), sending };
}

/** Ends `size` calls of a new workspace whose webhooks go to `url`; gives back their ids. */
async function endCalls(database: OpenDatabase, url: string, size: number): Promise<string[]> {
  const name = systemIds.next('ws');
  const { service } = build(database);
  const actor = await addWorkspace(database.db, name, url);
  await addAgent(database.db, name, `agent_${name}`);
  const callIds: string[] = [];
  for (let index = 0; index < size; index++) {
    const id = systemIds.next('cnv');
    await addEndedCall(database.db, { id, workspaceId: name, agentId: `agent_${name}` });
    await service.callEnded(database.db, actor.workspaceId, id);
    callIds.push(id);
  }
  return callIds;
}

const conversationOf = (received: Received) =>
  (JSON.parse(received.body.toString()) as { conversationId: string }).conversationId;

function timesReceived(received: Received[], callId: string): number {
  return received.filter((one) => conversationOf(one) === callId).length;
}

async function statusOf(database: OpenDatabase, callId: string) {
  const rows = await database.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.callId, callId));
  expect(rows).toHaveLength(1);
  return rows[0]?.status;
}

describe('senders that race', () => {
  it.each([1, 4])('(%i of them) send forty webhooks at once, none of them twice', async (racers) => {
    const database = await openTestDatabase();
    const receiver = await startReceiver();
    try {
      const callIds = await endCalls(database, receiver.url, 40);
      const senders = Array.from({ length: racers }, () => build(database).sending);
      for (let round = 0; round < 3; round++) {
        for (const sender of senders) sender.wake();
        await Promise.all(senders.map((sender) => sender.idle()));
      }
      expect(callIds.map((callId) => timesReceived(receiver.received, callId))).toEqual(callIds.map(() => 1));
      for (const callId of callIds) expect(await statusOf(database, callId)).toBe('delivered');
    } finally {
      await receiver.close();
      await database.close();
    }
  });

  it.skipIf(!hasPostgres)(
    'on PostgreSQL send 400 webhooks of four workspaces once each',
    { timeout: 60_000 },
    async () => {
      const database = await openTestDatabase();
      const receiver = await startReceiver();
      try {
        const callIds = (
          await Promise.all([1, 2, 3, 4].map(() => endCalls(database, receiver.url, 100)))
        ).flat();
        const senders = Array.from({ length: 4 }, () => build(database).sending);
        for (let round = 0; round < 8; round++) {
          for (const sender of senders) sender.wake();
          await Promise.all(senders.map((sender) => sender.idle()));
        }
        expect(receiver.received).toHaveLength(400);
        expect(new Set(receiver.received.map(conversationOf))).toEqual(new Set(callIds));
      } finally {
        await receiver.close();
        await database.close();
      }
    },
  );
});

/** A database that outlives the process that uses it. */
async function openLasting(): Promise<{
  where: object;
  open: () => Promise<OpenDatabase>;
  drop: () => Promise<void>;
}> {
  if (hasPostgres) {
    const made = await openTestDatabase();
    const where = { databaseUrl: made.databaseUrl ?? '' };
    return { where, open: () => openDatabase(where), drop: () => made.close() };
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'callwright-once-'));
  await createEmbeddedTestDatabase(`${dataDir}/db`);
  const where = { dataDir: `${dataDir}/db` };
  return {
    where,
    open: () => openDatabase(where),
    drop: () => rm(dataDir, { recursive: true, force: true }),
  };
}

describe('kill -9 of a sender', () => {
  it.each([
    ['just when the fifth one arrived', { after: 5, answer: 'hang' }],
    ['just when the third one was answered', { after: 3, answer: 200 }],
  ] as const)(
    '%s leaves every webhook sent once or unknown',
    { timeout: 60_000 },
    async (_, { after, answer }) => {
      const lasting = await openLasting();
      let child: ChildProcess | undefined;
      let hasKilled = false;
      const receiver = await startReceiver(() => {
        if (hasKilled || receiver.received.length < after) return 200;
        hasKilled = true;
        if (answer === 'hang') child?.kill('SIGKILL');
        else setImmediate(() => child?.kill('SIGKILL'));
        return answer;
      });
      try {
        const before = await lasting.open();
        const callIds = await endCalls(before, receiver.url, 12);
        await before.close();
        child = spawn(process.execPath, [CHILD, JSON.stringify(lasting.where)], { stdio: 'inherit' });
        await once(child, 'exit');
        expect(hasKilled).toBe(true);

        const database = await lasting.open();
        const { sending } = build(database, new Date(Date.now() + 60_000));
        await sending.closeAbandoned();
        sending.wake();
        await sending.idle();
        for (const callId of callIds) {
          const status = await statusOf(database, callId);
          const times = timesReceived(receiver.received, callId);
          expect({ status, times }).toEqual(
            status === 'unknown'
              ? { status, times: expect.toBeOneOf([0, 1]) }
              : { status: 'delivered', times: 1 },
          );
        }
        await database.close();
      } finally {
        child?.kill('SIGKILL');
        await receiver.close();
        await lasting.drop();
      }
    },
  );
});
