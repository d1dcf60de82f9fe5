/** @module-tag postgres */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { POST as draftCampaign } from '#app/api/dashboard/campaigns/route.ts';
import { GET as listCampaigns } from '#app/api/campaigns/route.ts';
import { GET as listNotes, POST as addNote } from '#app/api/dashboard/calls/[callId]/notes/route.ts';
import { GET as listShares, POST as share } from '#app/api/dashboard/calls/[callId]/shares/route.ts';
import { POST as sendTest } from '#app/api/dashboard/webhooks/test/route.ts';
import { POST as outbound } from '#app/api/outbound/route.ts';
import { addSignedInMember, callRoute, type SignedInMember } from '#lib/auth/testing.ts';
import { seedLine, type SeededLine } from '#lib/features/calls/testing.ts';
import { addEndedCall } from '#lib/features/webhooks/testing.ts';
import type { RouteHandler } from '#lib/http/route.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';

let runtime: TestRuntime;
let line: SeededLine;
let member: SignedInMember;
let colleague: SignedInMember;
let received = 0;
const receiver = createServer((_, response) => {
  received += 1;
  response.end();
});
const CALL = 'cnv_keyed';
const params = { callId: CALL };

beforeAll(async () => {
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  runtime = await startTestRuntime({ env: { WEBHOOK_ALLOWLIST: host } });
  line = await seedLine(runtime.db, 'keyed');
  member = await addSignedInMember(runtime, 'ws_keyed', 'member');
  colleague = await addSignedInMember(runtime, 'ws_keyed', 'member', 'colleague@keyed.test');
  await addEndedCall(runtime.db, { id: CALL, workspaceId: 'ws_keyed', agentId: line.agentId, summary: '' });
  await runtime.webhooks.updateSettings(line.actor, { url: `http://${host}/hook` });
});
afterAll(async () => {
  await runtime.close();
  receiver.close();
});

const columns = { hasHeader: true, numberColumn: 0, variables: [] };
const send = (handler: RouteHandler, body: unknown, key: string, as = member) =>
  callRoute<{ id: string }>(handler, { as, params, body, headers: { 'idempotency-key': key } });
const notes = async () =>
  (await callRoute<{ notes: unknown[] }>(listNotes, { as: member, params })).data.notes.length;
const shares = async () =>
  (await callRoute<{ shares: unknown[] }>(listShares, { as: member, params })).data.shares.length;
const campaigns = async () =>
  (await callRoute<{ campaigns: unknown[] }>(listCampaigns, { as: member })).data.campaigns.length;

describe.each([
  {
    what: 'a note',
    handler: addNote,
    body: { text: 'Call at ten.' },
    other: { text: 'At nine.' },
    count: notes,
  },
  { what: 'a share link', handler: share, body: { hours: 24 }, other: { hours: 48 }, count: shares },
  {
    what: 'a campaign from a file',
    handler: draftCampaign,
    body: () => ({ name: 'March', from: line.number, columns }),
    other: () => ({ name: 'April', from: line.number, columns }),
    count: campaigns,
  },
])('$what sent twice at once', ({ handler, body, other, count, what }) => {
  const given = (value: unknown) => (typeof value === 'function' ? (value as () => unknown)() : value);

  it('is made once for a key, and the repeat gets the same', async () => {
    const before = await count();
    const answers = await Promise.all([1, 2, 3].map(() => send(handler, given(body), what)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
    expect(await count()).toBe(before + 1);
  });

  it('is refused with the key of another one, and is nothing that a colleague gets', async () => {
    const before = await count();
    const refused = await send(handler, given(other), what);
    expect([refused.status, refused.error.code]).toEqual([400, 'IDEMPOTENCY_KEY_REUSED']);
    expect(await count()).toBe(before);
    const theirs = await send(handler, given(body), what, colleague);
    const ours = await send(handler, given(body), what);
    expect(theirs.data.id).not.toBe(ours.data.id);
    expect(await count()).toBe(before + 1);
  });
});

it('sends one test event for a key', async () => {
  const test = () =>
    callRoute<{ delivery: { id: string } }>(sendTest, {
      as: member,
      body: {},
      headers: { 'idempotency-key': 'test' },
    });
  const [first, second] = await Promise.all([test(), test()]);
  // Whoever comes while it is on its way is told to wait.
  expect([first.status, second.status].filter((status) => status === 200).length).toBeGreaterThan(0);
  const repeated = await test();
  expect([repeated.status, received]).toEqual([200, 1]);
  expect([first, second].map(({ data }) => data?.delivery.id)).toContain(repeated.data.delivery.id);
});

it('keeps the keys of calls apart by person', async () => {
  const body = { from: line.number, to: '+15550199900', variables: { name: 'Alex' } };
  const place = (as: SignedInMember) =>
    callRoute<{ conversationId: string }>(outbound, { as, body, headers: { 'idempotency-key': 'call' } });
  const [ours, again, theirs] = [await place(member), await place(member), await place(colleague)];
  expect(again.data).toEqual(ours.data);
  expect(theirs.data.conversationId).not.toBe(ours.data.conversationId);
});
