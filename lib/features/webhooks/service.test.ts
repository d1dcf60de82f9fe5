import { createHmac } from 'node:crypto';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '#db/client.ts';
import { agents } from '#db/schema/agents.ts';
import { callEvents, type calls } from '#db/schema/calls.ts';
import { auditEvents } from '#db/schema/keys.ts';
import { webhookDeliveries } from '#db/schema/webhooks.ts';
import { openTestDatabase } from '#db/testing.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { countingIds, manualClock } from '#lib/ports/testing.ts';
import { createSender } from '#lib/outgoing/sender.ts';
import { noMetrics } from '#lib/ports/metrics.ts';
import { noTracer } from '#lib/ports/tracer.ts';
import { webhookPayload } from './sending/contract.ts';
import { createWebhookSending } from './sending/service.ts';
import { createWebhookService } from './service.ts';
import {
  addAgent,
  addEndedCall,
  addWorkspace,
  notingQueue,
  type Received,
  SECRET,
  startReceiver,
} from './testing.ts';

let database: OpenDatabase;
let count = 0;
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
afterAll(() => database.close());

async function receiver(answer?: Parameters<typeof startReceiver>[0]) {
  const started = await startReceiver(answer);
  closers.push(started.close);
  return started;
}

const clock = manualClock();
const ids = { ...countingIds(), next: (prefix: string) => `${prefix}_${String(++count).padStart(6, '0')}` };

/** The service and one sender on the test's database, allowed to reach the loopback. */
function build(budgetMs = 5000) {
  const queue = notingQueue();
  const env = { webhookAllowlist: ['127.0.0.0/8'] };
  const sender = createSender({ allowlist: env.webhookAllowlist, budgetMs });
  const deps = {
    db: database.db,
    clock,
    ids,
    env,
    queue,
    sender,
    log: pino({ level: 'silent' }),
    metrics: noMetrics,
    tracer: noTracer,
  };
  const signRecordingUrl = (call: { id: string }) =>
    `https://calls.example.com/${call.id}.wav?at=${clock.now().getTime()}`;
  const sending = createWebhookSending({ ...deps, signRecordingUrl });
  const sendAll = async () => {
    sending.wake();
    await sending.idle();
  };
  return { service: createWebhookService(deps), sending, sendAll, queue };
}

async function workspaceWithAgent(
  webhookUrl: string | null,
  setting: { enabled?: boolean; url?: string | null } = {},
) {
  const name = `ws_${++count}`;
  const actor = await addWorkspace(database.db, name, webhookUrl);
  await addAgent(database.db, name, `agent_${name}`, setting);
  return { actor, workspaceId: name, agentId: `agent_${name}` };
}

async function endCall(
  service: ReturnType<typeof build>['service'],
  place: { actor: Actor; workspaceId: string; agentId: string },
  call: Partial<typeof calls.$inferInsert> = {},
): Promise<string> {
  const id = call.id ?? `cnv_${++count}`;
  await database.db.transaction(async (tx) => {
    await addEndedCall(tx as never, { workspaceId: place.workspaceId, agentId: place.agentId, ...call, id });
    await service.callEnded(tx as never, place.actor.workspaceId, id);
  });
  return id;
}

const deliveriesOf = (callId: string) =>
  database.db
    .select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.callId, callId))
    .orderBy(webhookDeliveries.createdAt, webhookDeliveries.id);
const eventsOf = async (callId: string) =>
  (
    await database.db.select().from(callEvents).where(eq(callEvents.callId, callId)).orderBy(callEvents.id)
  ).map(({ type, data }) => ({ type, data }));
const parse = (received: Received | undefined): Record<string, unknown> =>
  JSON.parse(received?.body.toString() ?? 'null');
const signatureOf = (body: Uint8Array, secret: string) =>
  createHmac('sha256', secret).update(body).digest('hex');

describe('the end of a call', () => {
  it('writes one delivery and queues it in the same transaction', { tags: ['postgres'] }, async () => {
    const { service, queue } = build();
    const place = await workspaceWithAgent('https://hooks.example.com/all');
    const callId = await endCall(service, place);
    await database.db.transaction((tx) => service.callEnded(tx as never, place.actor.workspaceId, callId));
    const rows = await deliveriesOf(callId);
    expect(rows).toMatchObject([
      { status: 'pending', kind: 'call', url: 'https://hooks.example.com/all', body: null },
    ]);
    expect(queue.sent).toEqual([
      { name: 'webhook.waiting', payload: { deliveryId: rows[0]?.id }, hasTx: true },
    ]);
  });

  it.each([
    [
      "the agent's URL before that of the workspace",
      'https://agent.example.com/',
      'https://ws.example.com/',
      'https://agent.example.com/',
    ],
    [
      'the URL of the workspace where that of the agent is blank',
      '  ',
      'https://ws.example.com/',
      'https://ws.example.com/',
    ],
    [
      "the agent's URL where the workspace has none",
      'https://agent.example.com/',
      null,
      'https://agent.example.com/',
    ],
  ])('uses %s', async (_, agentUrl, workspaceUrl, expected) => {
    const { service } = build();
    const callId = await endCall(service, await workspaceWithAgent(workspaceUrl, { url: agentUrl }));
    expect((await deliveriesOf(callId))[0]?.url).toBe(expected);
  });

  it('sends nothing where the agent does not ask for it', async () => {
    const { service, queue } = build();
    const callId = await endCall(
      service,
      await workspaceWithAgent('https://ws.example.com/', { enabled: false, url: 'https://a.example.com/' }),
    );
    expect(await deliveriesOf(callId)).toEqual([]);
    expect(await eventsOf(callId)).toEqual([]);
    expect(queue.sent).toEqual([]);
  });

  it('says on the timeline why nothing is sent where no URL is set', async () => {
    const { service, queue } = build();
    const callId = await endCall(service, await workspaceWithAgent(' ', { url: '' }));
    expect(await deliveriesOf(callId)).toEqual([]);
    expect(await eventsOf(callId)).toEqual([
      {
        type: 'webhook_not_sent',
        data: { reason: 'The agent asks for a webhook, but neither it nor the workspace has a URL' },
      },
    ]);
    expect(queue.sent).toEqual([]);
  });

  it('leaves nothing behind when its transaction is rolled back', { tags: ['postgres'] }, async () => {
    const { service } = build();
    const place = await workspaceWithAgent('https://ws.example.com/');
    await addEndedCall(database.db, { ...place, id: 'cnv_rolled_back' });
    const rolledBack = database.db.transaction(async (tx) => {
      await service.callEnded(tx as never, place.actor.workspaceId, 'cnv_rolled_back');
      throw new Error('the call did not end after all');
    });
    await expect(rolledBack).rejects.toThrow('did not end');
    expect(await deliveriesOf('cnv_rolled_back')).toEqual([]);
  });
});

describe('sending', () => {
  it("posts the contract's body, signed over the bytes that are sent and stored", async () => {
    const { service, sendAll } = build();
    const target = await receiver();
    const place = await workspaceWithAgent(target.url);
    const callId = await endCall(service, place);
    await sendAll();

    expect(target.received).toHaveLength(1);
    const [received] = target.received;
    expect(parse(received)).toEqual({
      conversationId: callId,
      dateInitiated: '2026-03-02T09:00:00.000Z',
      agentId: place.agentId,
      workspaceId: place.workspaceId,
      transcript: 'Agent: Hello.\nHuman: Tuesday at nine is fine.',
      direction: 'OUTBOUND',
      cost: 2.5,
      agentPhoneNumber: '+15550100001',
      humanPhoneNumber: '+15550100100',
      duration: 61.5,
      summary: 'An appointment was booked.',
      sentiment: 'POSITIVE',
      disposition: 'APPOINTMENT_BOOKED',
      tags: ['appointment_booked'],
      variables: { name: 'Ada' },
      recordingUrl: `https://calls.example.com/${callId}.wav?at=${clock.now().getTime()}`,
    });
    expect(Object.keys(parse(received))).toEqual(
      Object.keys(webhookPayload.shape).filter((key) => key !== 'event' && key !== 'results'),
    );
    expect(received?.headers).toMatchObject({ 'content-type': 'application/json' });
    expect(received?.headers['x-webhook-signature']).toBe(
      signatureOf(received?.body ?? Buffer.alloc(0), SECRET),
    );
    const [stored] = await deliveriesOf(callId);
    expect(Buffer.from(stored?.body ?? []).equals(received?.body ?? Buffer.from('missing'))).toBe(true);
    expect(stored).toMatchObject({
      status: 'delivered',
      signature: received?.headers['x-webhook-signature'],
      resolvedIp: '127.0.0.1',
      responseStatus: 200,
      error: null,
      responseTruncated: false,
      finishedAt: clock.now(),
    });
    expect(new TextDecoder().decode(stored?.responseBody ?? undefined)).toBe('answer 200');
    expect(stored?.responseHeaders?.['x-receiver']).toBe('yes');
    expect(await eventsOf(callId)).toEqual([
      {
        type: 'webhook_delivered',
        data: { deliveryId: stored?.id, responseStatus: 200, error: null, kind: 'call' },
      },
    ]);
  });

  it('sends a call that never connected as FAILED, empty, free and without a recording', async () => {
    const { service, sendAll } = build();
    const target = await receiver();
    await endCall(service, await workspaceWithAgent(target.url), {
      answeredAt: null,
      disposition: 'FAILED',
      transcript: '',
      summary: null,
      sentiment: 'N_A',
      durationSeconds: 0,
      cost: 0.4,
      tags: [],
      variables: {},
      recordingKey: null,
      direction: 'INBOUND',
    });
    await sendAll();
    const body = parse(target.received[0]);
    expect(body).toMatchObject({
      transcript: '',
      summary: '',
      cost: 0,
      duration: 0,
      sentiment: 'N_A',
      disposition: 'FAILED',
      direction: 'INBOUND',
      tags: [],
      variables: {},
    });
    expect('recordingUrl' in body).toBe(false);
    expect(webhookPayload.safeParse(body).success).toBe(true);
  });

  it('stores exactly the bytes that arrive, whatever the texts are', { tags: ['postgres'] }, async () => {
    const { service, sendAll } = build();
    const target = await receiver();
    const place = await workspaceWithAgent(target.url);
    const storable = fc
      .string({ unit: 'grapheme' })
      .map((text) => text.toWellFormed().replaceAll('\u0000', ''));
    await fc.assert(
      fc.asyncProperty(
        storable,
        storable,
        fc.dictionary(
          storable.filter((name) => name !== '__proto__'),
          storable,
          { noNullPrototype: true },
        ),
        fc.array(storable),
        async (transcript, summary, variables, tags) => {
          const callId = await endCall(service, place, { transcript, summary, variables, tags });
          await sendAll();
          const received = target.received.at(-1);
          const [stored] = await deliveriesOf(callId);
          expect(stored?.status).toBe('delivered');
          expect(Buffer.from(stored?.body ?? []).equals(received?.body ?? Buffer.from('missing'))).toBe(true);
          expect(received?.headers['x-webhook-signature']).toBe(
            signatureOf(received?.body ?? Buffer.alloc(0), SECRET),
          );
          expect(parse(received)).toMatchObject({ transcript, summary, tags });
          expect(parse(received).variables).toEqual(variables);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('signs with the secret that is current when it sends', async () => {
    const { service, sendAll } = build();
    const target = await receiver();
    const place = await workspaceWithAgent(target.url);
    await endCall(service, place);
    const { secret } = await service.regenerateSecret(place.actor);
    await sendAll();
    const [received] = target.received;
    expect(secret).toMatch(/^whsec_.{32,}$/);
    expect(received?.headers['x-webhook-signature']).toBe(
      signatureOf(received?.body ?? Buffer.alloc(0), secret),
    );
  });

  it.each([
    [500, 'The receiver answered 500.'],
    [404, 'The receiver answered 404.'],
    [301, 'The receiver answered 301; redirects are not followed.'],
    [307, 'The receiver answered 307; redirects are not followed.'],
    ['reset', 'The receiver closed the connection before its answer was complete.'],
    ['hang', 'No complete answer came within 0.2 seconds.'],
  ] as const)('tries once when the receiver answers %s', async (answer, error) => {
    const { service, sendAll } = build(answer === 'hang' ? 200 : 5000);
    const target = await receiver(() => answer);
    const callId = await endCall(service, await workspaceWithAgent(target.url));
    await sendAll();
    await sendAll();
    expect(target.received).toHaveLength(1);
    const rows = await deliveriesOf(callId);
    expect(rows).toMatchObject([
      { status: 'failed', error, responseStatus: typeof answer === 'number' ? answer : null },
    ]);
    expect(await eventsOf(callId)).toMatchObject([{ type: 'webhook_failed', data: { error } }]);
  });

  it('refuses an address that became bad after it was saved', async () => {
    const { service, sendAll } = build();
    const callId = await endCall(service, await workspaceWithAgent('https://169.254.169.254/latest'));
    await sendAll();
    expect(await deliveriesOf(callId)).toMatchObject([
      { status: 'failed', resolvedIp: null, error: expect.stringContaining('refused') },
    ]);
  });

  it('sends a backlog far above the places of one workspace, each once', { tags: ['postgres'] }, async () => {
    const { service, sendAll } = build();
    const target = await receiver();
    const place = await workspaceWithAgent(target.url);
    const callIds: string[] = [];
    for (let index = 0; index < 150; index++) callIds.push(await endCall(service, place));
    await sendAll();
    expect(target.received).toHaveLength(150);
    expect(new Set(target.received.map((one) => parse(one).conversationId))).toEqual(new Set(callIds));
  });

  it("does not let one workspace's hanging receiver delay another's", async () => {
    const { service, sending } = build(3000);
    const hanging = await receiver(() => 'hang');
    const quick = await receiver();
    const slow = await workspaceWithAgent(hanging.url);
    for (let index = 0; index < 200; index++) await endCall(service, slow);
    sending.wake();
    const other = await workspaceWithAgent(quick.url);
    const callId = await endCall(service, other);
    sending.wake();
    await expect.poll(() => quick.received.length, { timeout: 2000 }).toBe(1);
    await expect.poll(async () => (await deliveriesOf(callId))[0]?.status).toBe('delivered');
    // Those of the slow workspace are still under way, and not more of them than its share.
    expect(hanging.received.length).toBeLessThanOrEqual(64);
    const openOnes = await database.db
      .select()
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.workspaceId, slow.workspaceId));
    expect(openOnes.filter((row) => row.status === 'pending').length).toBeGreaterThanOrEqual(136);
    await database.db.delete(webhookDeliveries).where(eq(webhookDeliveries.workspaceId, slow.workspaceId));
    await sending.stop();
  });
});

describe('after a crash', { tags: ['postgres'] }, () => {
  async function abandon(callId: string) {
    await database.db
      .update(webhookDeliveries)
      .set({ status: 'sending', sendingAt: clock.now(), body: Buffer.from('{}'), signature: 'x' })
      .where(eq(webhookDeliveries.callId, callId));
  }

  it('marks what was being sent as unknown, once it cannot be under way any more, and never sends it', async () => {
    const { service, sending, sendAll } = build();
    const target = await receiver();
    const callId = await endCall(service, await workspaceWithAgent(target.url));
    await abandon(callId);
    await clock.advance(19_000);
    await sending.closeAbandoned();
    expect((await deliveriesOf(callId))[0]?.status).toBe('sending');
    await clock.advance(2_000);
    await sending.closeAbandoned();
    await sendAll();
    expect(target.received).toEqual([]);
    expect(await deliveriesOf(callId)).toMatchObject([
      { status: 'unknown', error: expect.stringContaining('nobody can tell') },
    ]);
    expect(await eventsOf(callId)).toMatchObject([{ type: 'webhook_unknown' }]);
  });

  it('knows at once at the start of the only process', async () => {
    const { service, sending } = build();
    const place = await workspaceWithAgent('https://hooks.example.com/');
    const [begun, waiting] = [await endCall(service, place), await endCall(service, place)];
    await abandon(begun);
    await sending.closeAbandoned(0);
    expect((await deliveriesOf(begun))[0]?.status).toBe('unknown');
    expect((await deliveriesOf(waiting))[0]?.status).toBe('pending');
    await database.db.delete(webhookDeliveries).where(eq(webhookDeliveries.callId, waiting));
  });

  it('sends what had not been begun', async () => {
    const target = await receiver();
    const callId = await endCall(build().service, await workspaceWithAgent(target.url));
    await build().sendAll();
    expect(target.received).toHaveLength(1);
    expect((await deliveriesOf(callId))[0]?.status).toBe('delivered');
  });

  it('lets the result of a sender that was only slow replace unknown', async () => {
    const { service, sending } = build();
    let reached = () => {};
    const atReceiver = new Promise<void>((resolve) => (reached = resolve));
    const target = await receiver(() => {
      reached();
      return 'reset';
    });
    const callId = await endCall(service, await workspaceWithAgent(target.url));
    sending.wake();
    await atReceiver;
    await clock.advance(60_000);
    await sending.closeAbandoned();
    await sending.idle();
    expect((await deliveriesOf(callId))[0]?.status).toBe('failed');
  });
});

describe('retention', { tags: ['postgres'] }, () => {
  it('drops bodies and answers after 30 days and keeps the rest', async () => {
    const { service, sending, sendAll } = build();
    const target = await receiver();
    const callId = await endCall(service, await workspaceWithAgent(target.url));
    await sendAll();
    await clock.advance(29 * 86_400_000);
    await sending.dropOldBodies();
    expect((await deliveriesOf(callId))[0]?.body).not.toBeNull();
    await clock.advance(86_400_001);
    await sending.dropOldBodies();
    expect(await deliveriesOf(callId)).toMatchObject([
      { body: null, signature: null, responseBody: null, status: 'delivered', responseStatus: 200 },
    ]);
  });
});

describe('settings', () => {
  it('saves a good URL, clears a blank one, and refuses a bad one with the reason', async () => {
    const { service } = build();
    const { actor } = await workspaceWithAgent(null);
    expect(await service.updateSettings(actor, { url: ' http://127.0.0.1:8080/hook ' })).toMatchObject({
      url: 'http://127.0.0.1:8080/hook',
    });
    await expect(service.updateSettings(actor, { url: 'https://169.254.169.254/' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'url: 169.254.169.254 is not a public address (link local)',
    });
    expect((await service.getSettings(actor)).url).toBe('http://127.0.0.1:8080/hook');
    expect(await service.updateSettings(actor, { url: '  ' })).toMatchObject({ url: null });
  });

  it('replaces the secret at once, says when, and notes who', { tags: ['postgres'] }, async () => {
    const { service } = build();
    const { actor, workspaceId } = await workspaceWithAgent(null);
    const made = await service.regenerateSecret(actor);
    expect(await service.getSecret(actor)).toEqual(made);
    expect(made.changedAt).toBe(clock.now().toISOString());
    expect((await service.getSettings(actor)).secretChangedAt).toBe(made.changedAt);
    const noted = await database.db
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.workspaceId, workspaceId));
    expect(noted.map((event) => event.action)).toEqual([
      'webhook.secret.regenerated',
      'webhook.secret.shown',
    ]);
    expect(JSON.stringify(noted)).not.toContain(made.secret);
  });

  it('shows where each agent sends', async () => {
    const { service } = build();
    const place = await workspaceWithAgent('https://ws.example.com/');
    await addAgent(database.db, place.workspaceId, `${place.agentId}_b`, {
      url: 'https://own.example.com/',
      enabled: false,
    });
    expect((await service.getSettings(place.actor)).agents).toMatchObject([
      { id: place.agentId, enabled: true, ownUrl: null, effectiveUrl: 'https://ws.example.com/' },
      {
        id: `${place.agentId}_b`,
        enabled: false,
        ownUrl: 'https://own.example.com/',
        effectiveUrl: 'https://own.example.com/',
      },
    ]);
  });
});

describe('the test event', () => {
  it("has the contract's shape and is answered with what the receiver said", async () => {
    const { service } = build();
    const target = await receiver(() => 418);
    const place = await workspaceWithAgent(target.url);
    const { delivery } = await service.sendTest(place.actor, {});
    const body = parse(target.received[0]);
    expect(webhookPayload.safeParse(body).success).toBe(true);
    expect(body).toMatchObject({
      event: 'test',
      conversationId: expect.stringMatching(/^test_/),
      workspaceId: place.workspaceId,
      agentId: place.agentId,
    });
    expect(target.received[0]?.headers['x-webhook-signature']).toBe(
      signatureOf(target.received[0]?.body ?? Buffer.alloc(0), SECRET),
    );
    expect(delivery).toMatchObject({
      kind: 'test',
      status: 'failed',
      responseStatus: 418,
      responseBody: 'answer 418',
      requestedBy: 'owner@example.test',
      callId: null,
      body: target.received[0]?.body.toString(),
      secretIsCurrent: true,
    });
  });

  it("goes to the agent's own URL when an agent is named", async () => {
    const { service } = build();
    const [ofWorkspace, ofAgent] = [await receiver(), await receiver()];
    const place = await workspaceWithAgent(ofWorkspace.url, { url: ofAgent.url, enabled: false });
    await service.sendTest(place.actor, { agentId: place.agentId });
    expect([ofWorkspace.received.length, ofAgent.received.length]).toEqual([0, 1]);
    expect(parse(ofAgent.received[0]).agentId).toBe(place.agentId);
  });

  it("says so where there is nothing to send to, and refuses another workspace's agent", async () => {
    const { service } = build();
    const [place, other] = [await workspaceWithAgent(null), await workspaceWithAgent(null)];
    await expect(service.sendTest(place.actor, {})).rejects.toMatchObject({ code: 'INVALID_STATE' });
    await expect(service.sendTest(place.actor, { agentId: other.agentId })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await expect(service.sendTest(place.actor, { agentId: 'agent_none' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('sending again', () => {
  it(
    'is marked, goes to the address of now, and leaves the first delivery alone',
    { tags: ['postgres'] },
    async () => {
      const { service, sendAll } = build();
      const [before, after] = [await receiver(() => 500), await receiver()];
      const place = await workspaceWithAgent(before.url);
      const callId = await endCall(service, place);
      await sendAll();
      const [first] = await deliveriesOf(callId);
      await database.db
        .update(agents)
        .set({ postConversationWebhookUrl: after.url })
        .where(eq(agents.id, place.agentId));
      await clock.advance(1000);
      const queued = await service.resend(place.actor, first?.id ?? '');
      expect(queued).toMatchObject({
        kind: 'resend',
        status: 'pending',
        requestedBy: 'owner@example.test',
        url: after.url,
      });
      await sendAll();
      expect([before.received.length, after.received.length]).toEqual([1, 1]);
      expect(await deliveriesOf(callId)).toMatchObject([
        { kind: 'call', status: 'failed' },
        { kind: 'resend', status: 'delivered' },
      ]);
      expect(parse(after.received[0]).recordingUrl).toContain(`at=${clock.now().getTime()}`);
    },
  );

  it('refuses test events and deliveries of other workspaces', async () => {
    const { service } = build();
    const target = await receiver();
    const [place, other] = [await workspaceWithAgent(target.url), await workspaceWithAgent(target.url)];
    const { delivery } = await service.sendTest(place.actor, {});
    await expect(service.resend(place.actor, delivery.id)).rejects.toMatchObject({ code: 'INVALID_STATE' });
    await expect(service.resend(other.actor, delivery.id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(service.getDelivery(other.actor, delivery.id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(service.getDelivery(other.actor, 'whd_none')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
