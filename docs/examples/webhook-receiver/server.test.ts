import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '#db/client.ts';
import { openTestDatabase } from '#db/testing.ts';
import { createWebhookSending } from '#lib/features/webhooks/sending/service.ts';
import { createWebhookService } from '#lib/features/webhooks/service.ts';
import { addAgent, addEndedCall, addWorkspace, notingQueue, SECRET } from '#lib/features/webhooks/testing.ts';
import { createSender } from '#lib/outgoing/sender.ts';
import { countingIds, manualClock } from '#lib/ports/testing.ts';
import { noMetrics } from '#lib/ports/metrics.ts';
import { noTracer } from '#lib/ports/tracer.ts';
import { createReceiver as createUntyped, reconcile as reconcileUntyped } from './server.mjs';

type Handled = Record<string, unknown>;
type Given = { secret: string; handle: (conversation: Handled) => void | Promise<void>; seen?: Set<string> };
const createReceiver = createUntyped as (given: Given) => Server;
const reconcile = reconcileUntyped as (
  given: Omit<Given, 'secret'> & { baseUrl: string; apiKey: string; since: Date },
) => Promise<number>;

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

async function listen(server: Server): Promise<string> {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const sign = (body: string, secret = SECRET) => createHmac('sha256', secret).update(body).digest('hex');
const post = (url: string, body: string, headers: Record<string, string>) =>
  fetch(url, { method: 'POST', body, headers });

describe('the example receiver', () => {
  it('takes what is signed, once per conversation, and refuses everything else', async () => {
    const handled: Handled[] = [];
    const url = await listen(createReceiver({ secret: SECRET, handle: (one) => void handled.push(one) }));
    const body = JSON.stringify({ conversationId: 'cnv_1', transcript: 'Grüße' });
    expect((await post(url, body, { 'x-webhook-signature': sign(body) })).status).toBe(200);
    expect((await post(url, body, { 'x-webhook-signature': sign(body) })).status).toBe(200);
    expect((await post(url, body, {})).status).toBe(401);
    expect((await post(url, body, { 'x-webhook-signature': sign(body, 'whsec_other') })).status).toBe(401);
    expect((await post(url, `${body} `, { 'x-webhook-signature': sign(body) })).status).toBe(401);
    expect((await fetch(url)).status).toBe(405);
    expect(handled).toEqual([{ conversationId: 'cnv_1', transcript: 'Grüße' }]);
  });

  it('fetches what no webhook told of, over all pages', async () => {
    const conversations = Array.from({ length: 230 }, (_, index) => ({ id: `cnv_${index}` }));
    const asked: string[] = [];
    const api = await listen(
      createServer((request, response) => {
        const query = new URL(request.url ?? '', 'http://x').searchParams;
        asked.push(`${query.get('datetime_start')} ${String(request.headers['x-api-key'])}`);
        const first = conversations.findIndex(({ id }) => id === query.get('after')) + 1;
        response.end(
          JSON.stringify({ data: conversations.slice(first, first + Number(query.get('limit'))) }),
        );
      }),
    );
    const handled: unknown[] = [];
    const given = {
      baseUrl: api,
      apiKey: 'cw_test_key',
      since: new Date(5000),
      handle: (one: Handled) => void handled.push(one.id),
      seen: new Set(['cnv_3', 'cnv_150']),
    };
    expect(await reconcile(given)).toBe(228);
    expect(await reconcile(given)).toBe(0);
    expect(new Set(handled).size).toBe(228);
    expect(asked).toEqual(Array.from({ length: 6 }, () => '5000 cw_test_key'));
  });

  it('runs by the command in its first lines', async () => {
    const file = new URL('./server.mjs', import.meta.url).pathname;
    const child = spawn(process.execPath, [file], {
      env: { PATH: process.env.PATH, WEBHOOK_SECRET: SECRET, PORT: '0' } as unknown as NodeJS.ProcessEnv,
    });
    try {
      const [line] = (await once(child.stdout, 'data')) as [Buffer];
      expect(line.toString()).toContain('listening');
    } finally {
      child.kill();
    }
  });
});

describe('the example receiver and the sender', () => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  it('understand each other', async () => {
    const handled: Handled[] = [];
    const url = await listen(createReceiver({ secret: SECRET, handle: (one) => void handled.push(one) }));
    const env = { webhookAllowlist: ['127.0.0.0/8'] };
    const sender = createSender({ allowlist: env.webhookAllowlist });
    const deps = {
      db: database.db,
      clock: manualClock(),
      ids: countingIds(),
      env,
      queue: notingQueue(),
      sender,
      log: pino({ level: 'silent' }),
      metrics: noMetrics,
      tracer: noTracer,
    };
    const service = createWebhookService(deps);
    const sending = createWebhookSending({
      ...deps,
      signRecordingUrl: (call) => `https://calls.example.com/${call.id}`,
    });
    const actor = await addWorkspace(database.db, 'ws_1', url);
    await addAgent(database.db, 'ws_1', 'agent_1');
    await addEndedCall(database.db, { id: 'cnv_1', workspaceId: 'ws_1', agentId: 'agent_1' });
    await service.callEnded(database.db, actor.workspaceId, 'cnv_1');
    sending.wake();
    await sending.idle();
    expect(handled).toMatchObject([{ conversationId: 'cnv_1', disposition: 'APPOINTMENT_BOOKED' }]);
    expect((await service.sendTest(actor, {})).delivery).toMatchObject({
      status: 'delivered',
      responseStatus: 200,
      responseBody: 'received\n',
    });
    expect(handled).toHaveLength(1);
  });
});
