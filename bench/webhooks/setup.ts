import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { pino } from 'pino';
import { openTestDatabase } from '#db/testing.ts';
import setUpSnapshot from '#db/testing-setup.ts';
import { createPgBossQueue } from '#lib/adapters/queue/pg-boss.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { systemIds } from '#lib/adapters/system/ids.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { webhookWaiting } from '#lib/features/webhooks/jobs.ts';
import { createWebhookSending } from '#lib/features/webhooks/sending/service.ts';
import { createWebhookService } from '#lib/features/webhooks/service.ts';
import { addAgent, addEndedCall, addWorkspace } from '#lib/features/webhooks/testing.ts';
import { createSender } from '#lib/outgoing/sender.ts';
import { noMetrics } from '#lib/ports/metrics.ts';
import { noTracer } from '#lib/ports/tracer.ts';

export type Place = { actor: Actor; workspaceId: string; agentId: string; hangs: boolean };

const TRANSCRIPT = 'Agent: Good morning, this is a reminder.\nHuman: Thank you, that suits me well.\n'.repeat(
  25,
);

/**
 * The sender with its real queue on the embedded database, or on the server of TEST_DATABASE_URL, and a receiver in a
 * process of its own. `hanging` workspaces come after the `answered` ones; their receiver never answers.
 */
export async function setUp(given: { answered: number; hanging: number }) {
  await setUpSnapshot();
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
    metrics: noMetrics,
    tracer: noTracer,
    sender: createSender({ allowlist: env.webhookAllowlist }),
    signRecordingUrl: (call: { id: string }) => `https://calls.example.com/api/recordings/${call.id}`,
  };
  const service = createWebhookService(deps);
  const sending = createWebhookSending(deps);
  await queue.start();
  await queue.ensure(webhookWaiting);

  const places: Place[] = [];
  for (let index = 0; index < given.answered + given.hanging; index++) {
    const hangs = index >= given.answered;
    const actor = await addWorkspace(database.db, `ws_${index}`, `${origin}/${hangs ? 'hang' : 'hook'}`);
    await addAgent(database.db, `ws_${index}`, `agent_${index}`);
    places.push({ actor, workspaceId: `ws_${index}`, agentId: `agent_${index}`, hangs });
  }

  return {
    queue,
    sending,
    places,
    databaseKind: database.pglite ? 'embedded' : 'postgresql',

    /** Ends one call as the service does: call, delivery and job in one transaction. Gives back its id. */
    async endCall(place: Place): Promise<string> {
      const id = systemIds.next('cnv');
      await database.db.transaction(async (tx) => {
        const call = { id, workspaceId: place.workspaceId, agentId: place.agentId, transcript: TRANSCRIPT };
        await addEndedCall(tx as never, call);
        await service.callEnded(tx as never, place.actor.workspaceId, id);
      });
      return id;
    },

    /** When each conversation reached the receiver. */
    async readArrivals(): Promise<Map<string, number[]>> {
      return new Map((await (await fetch(origin)).json()) as [string, number[]][]);
    },

    async close(): Promise<void> {
      receiver.kill();
      await queue.stop(2000);
      await sending.stop();
      await database.close();
    },
  };
}

export function cpuSeconds(since?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return Math.round((user + system) / 1e5) / 10;
}

/** Figures mean little without what else the machine was doing. */
export function loadNow(): number {
  return Math.round((loadavg()[0] ?? 0) * 10) / 10;
}
