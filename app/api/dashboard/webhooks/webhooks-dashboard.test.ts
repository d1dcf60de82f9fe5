import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GET as getDelivery } from '#app/api/dashboard/webhooks/deliveries/[deliveryId]/route.ts';
import { POST as resend } from '#app/api/dashboard/webhooks/deliveries/[deliveryId]/resend/route.ts';
import { GET as listDeliveries } from '#app/api/dashboard/webhooks/deliveries/route.ts';
import { GET as exportDeliveries } from '#app/api/dashboard/webhooks/export/route.ts';
import { GET as getHealth } from '#app/api/dashboard/webhooks/health/route.ts';
import { GET as getSecret, POST as regenerateSecret } from '#app/api/dashboard/webhooks/secret/route.ts';
import { GET as getSettings, PUT as putSettings } from '#app/api/dashboard/webhooks/settings/route.ts';
import { POST as sendTest } from '#app/api/dashboard/webhooks/test/route.ts';
import type { Role } from '#lib/auth/actor.ts';
import { addSignedInMember, callRoute, type SignedInMember } from '#lib/auth/testing.ts';
import { seedLine, type SeededLine } from '#lib/features/calls/testing.ts';
import type { DeliveryDetail, DeliverySummary, WebhookSettings } from '#lib/features/webhooks/contract.ts';
import { startReceiver } from '#lib/features/webhooks/testing.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';

let runtime: TestRuntime;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let line: SeededLine;
const people = {} as Record<Role, SignedInMember>;
let stranger: SignedInMember;

beforeAll(async () => {
  receiver = await startReceiver();
  const { host } = new URL(receiver.url);
  runtime = await startTestRuntime({ worker: true, env: { WEBHOOK_ALLOWLIST: host } });
  line = await seedLine(runtime.db, 'hooks', { workspace: { webhookUrl: null } });
  const other = await seedLine(runtime.db, 'other');
  for (const role of ['viewer', 'member', 'admin', 'owner'] as const) {
    people[role] = await addSignedInMember(runtime, line.actor.workspaceId, role);
  }
  stranger = await addSignedInMember(runtime, other.actor.workspaceId, 'owner');
});

afterAll(async () => {
  await receiver.close();
  await runtime.close();
});

type Page = { deliveries: DeliverySummary[]; nextCursor: string | null };

describe("the webhook's pages", () => {
  it('let admins set the URL, and say which field is wrong', async () => {
    const put = (as: SignedInMember, url: unknown) =>
      callRoute<WebhookSettings>(putSettings, { as, body: { url } });
    expect(await put(people.member, receiver.url)).toMatchObject({ status: 403 });
    for (const url of [
      'http://example.com/',
      'https://10.0.0.1/',
      'https://localhost/',
      'https://user:pw@example.com/',
      'https://example.com:25/',
      'nonsense',
    ]) {
      expect(await put(people.admin, url)).toMatchObject({
        status: 400,
        error: { code: 'VALIDATION_ERROR', message: expect.stringMatching(/^url: ./) },
      });
    }
    expect(await put(people.admin, 7)).toMatchObject({ status: 400 });
    expect(await put(people.admin, receiver.url)).toMatchObject({ status: 200, data: { url: receiver.url } });
    expect(await callRoute(getSettings, { as: people.viewer })).toMatchObject({
      status: 200,
      data: { url: receiver.url },
    });
  });

  it('show the secret to admins only', async () => {
    expect(await callRoute(getSecret, { as: people.viewer })).toMatchObject({ status: 403 });
    expect(await callRoute(getSecret, { as: people.member })).toMatchObject({ status: 403 });
    expect(await callRoute(getSecret, { as: people.admin })).toMatchObject({
      status: 200,
      data: { secret: 'whsec_test' },
    });
    expect(await callRoute(regenerateSecret, { as: people.member })).toMatchObject({ status: 403 });
  });

  it('send the test event and show the answer', async () => {
    const { status, data } = await callRoute<{ delivery: DeliveryDetail }>(sendTest, {
      as: people.member,
      body: {},
    });
    expect(status).toBe(200);
    expect(data.delivery).toMatchObject({
      kind: 'test',
      status: 'delivered',
      responseStatus: 200,
      responseBody: 'answer 200',
    });
    expect(await callRoute(sendTest, { as: people.viewer, body: {} })).toMatchObject({ status: 403 });
  });
});

describe('a simulated call', () => {
  it('is sent when it ends, signed with the new secret, and can be sent again', async () => {
    const { data: made } = await callRoute<{ secret: string }>(regenerateSecret, { as: people.owner });
    const before = receiver.received.length;
    const { conversationId } = await runtime.calls.queueOutbound(line.actor, {
      from: line.number,
      to: parsePhoneNumber('+15550100201'),
      variables: { name: 'Ann' },
    });
    await expect.poll(() => receiver.received.length, { timeout: 25_000 }).toBe(before + 1);
    const received = receiver.received.at(-1);
    const signature = createHmac('sha256', made.secret)
      .update(received?.body ?? '')
      .digest('hex');
    expect(received?.headers['x-webhook-signature']).toBe(signature);
    const body = JSON.parse(received?.body.toString() ?? '{}') as Record<string, unknown>;
    expect(body).toMatchObject({
      conversationId,
      disposition: 'APPOINTMENT_BOOKED',
      variables: { name: 'Ann' },
    });
    expect(body.recordingUrl).toMatch(/^http.*\/api\/recordings\//);

    const page = async () =>
      (await callRoute<Page>(listDeliveries, { as: people.viewer, query: { callId: conversationId } })).data
        .deliveries;
    await expect.poll(async () => (await page())[0]?.status).toBe('delivered');
    const [delivery] = await page();
    const params = { deliveryId: delivery?.id ?? '' };
    const detail = await callRoute<DeliveryDetail>(getDelivery, { as: people.viewer, params });
    expect(detail.data).toMatchObject({ body: received?.body.toString(), signature, secretIsCurrent: true });
    expect(JSON.stringify(detail.data)).not.toContain(made.secret);

    expect(await callRoute(resend, { as: people.viewer, params })).toMatchObject({ status: 403 });
    expect(await callRoute(resend, { as: stranger, params })).toMatchObject({ status: 403 });
    expect(await callRoute(resend, { as: people.member, params: { deliveryId: 'whd_none' } })).toMatchObject({
      status: 404,
    });
    expect(await callRoute(resend, { as: people.member, params })).toMatchObject({
      status: 200,
      data: { kind: 'resend', status: 'pending' },
    });
    await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBe(before + 2);
    expect((await page()).map(({ kind }) => kind)).toEqual(['resend', 'call']);
  });
});

describe('the log', () => {
  it('belongs to its workspace', async () => {
    expect(await callRoute(listDeliveries, { as: stranger })).toMatchObject({
      status: 200,
      data: { deliveries: [], nextCursor: null },
    });
    expect(await callRoute(listDeliveries, {})).toMatchObject({ status: 401 });
    expect(await callRoute(listDeliveries, { as: stranger, query: { cursor: 'x' } })).toMatchObject({
      status: 400,
    });
    expect(await callRoute(getHealth, { as: people.viewer })).toMatchObject({
      status: 200,
      data: { isFailing: false },
    });
  });

  it('is exported', async () => {
    const request = new Request('http://localhost:3000/api/dashboard/webhooks/export?format=jsonl', {
      headers: { cookie: people.member.cookie, 'x-workspace-id': people.member.workspaceId },
    });
    const response = await exportDeliveries(request, { params: Promise.resolve({}) });
    expect(response.headers.get('content-type')).toContain('ndjson');
    const rows = (await response.text())
      .trim()
      .split('\n')
      .map((row) => JSON.parse(row) as { kind: string });
    expect(rows.map((row) => row.kind)).toEqual(['resend', 'call', 'test']);
  });
});
