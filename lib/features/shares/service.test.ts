import { afterAll, beforeAll, expect, it } from 'vitest';
import { turns } from '#db/schema/calls.ts';
import { DELETE } from '#app/api/dashboard/calls/[callId]/shares/[shareId]/route.ts';
import { GET, POST } from '#app/api/dashboard/calls/[callId]/shares/route.ts';
import { GET as recording } from '#app/api/recordings/[id]/route.ts';
import { addSignedInMember, callRoute, type SignedInMember } from '#lib/auth/testing.ts';
import { seedLine, type SeededLine } from '#lib/features/calls/testing.ts';
import { recordingKeyOf } from '#lib/features/recordings/rules.ts';
import { addEndedCall } from '#lib/features/webhooks/testing.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import type { CallShare } from './contract.ts';

let runtime: TestRuntime;
let line: SeededLine;
let nowMs = Date.now();
let count = 0;
const people: Record<string, SignedInMember> = {};
const person = (name: string) => people[name] as SignedInMember;

beforeAll(async () => {
  const clock = { now: () => new Date(nowMs), sleep: async () => undefined };
  runtime = await startTestRuntime({ overrides: { clock } });
  line = await seedLine(runtime.db, 'shares');
  for (const role of ['viewer', 'member', 'admin'] as const)
    people[role] = await addSignedInMember(runtime, 'ws_shares', role);
  people.colleague = await addSignedInMember(runtime, 'ws_shares', 'member', 'colleague@shares.test');
  const other = await seedLine(runtime.db, 'shares_elsewhere');
  people.stranger = await addSignedInMember(runtime, other.actor.workspaceId, 'owner');
});
afterAll(() => runtime.close());

async function addCall(): Promise<string> {
  count += 1;
  const callId = `cnv_shares_${count}`;
  await addEndedCall(runtime.db, {
    id: callId,
    workspaceId: 'ws_shares',
    agentId: line.agentId,
    summary: 'They agreed.',
  });
  await runtime.db.insert(turns).values({
    id: `turn_${callId}`,
    callId,
    workspaceId: 'ws_shares',
    seq: 1,
    speaker: 'agent',
    text: 'Hello.',
    startedMs: 0,
    endedMs: 500,
  });
  await runtime.storage.put(recordingKeyOf('ws_shares', callId), Buffer.from('0123456789'));
  return callId;
}
const share = (who: string, callId: string, hours = 24) =>
  callRoute<CallShare>(POST, { as: person(who), params: { callId }, body: { hours } });
const revoke = (who: string, callId: string, shareId: string) =>
  callRoute<CallShare>(DELETE, { as: person(who), params: { callId, shareId } });
const list = async (who: string, callId: string) =>
  (await callRoute<{ shares: CallShare[] }>(GET, { as: person(who), params: { callId } })).data.shares;
const tokenIn = ({ url }: CallShare) => (url ?? '').split('/shared/')[1] ?? '';

async function play(url: string, range?: string): Promise<Response> {
  const address = new URL(url, 'http://localhost:3000');
  const id = decodeURIComponent(address.pathname.split('/').at(-1) ?? '');
  const request = new Request(address, range ? { headers: { range } } : {});
  return recording(request, { params: Promise.resolve({ id }) });
}

it('shows one conversation with its recording, and nothing of the workspace', async () => {
  const callId = await addCall();
  const { data, status } = await share('member', callId);
  expect(status).toBe(201);
  const shown = await runtime.openShares.open(tokenIn(data));
  expect(shown).toMatchObject({
    summary: 'They agreed.',
    turns: [{ seq: 1, speaker: 'agent', text: 'Hello.', startedMs: 0 }],
  });
  const told = `${JSON.stringify(shown)} ${data.url}`;
  for (const secret of [callId, 'ws_shares', line.agentId, '+1555', 'Ada', person('member').email])
    expect(told).not.toContain(secret);
  const part = await play(shown?.recordingUrl ?? '', 'bytes=2-4');
  expect([part.status, await part.text()]).toEqual([206, '234']);
  expect(part.headers.get('content-disposition')).not.toContain(callId);
});

it('says who made a link, until when, and when it was last opened', async () => {
  const callId = await addCall();
  const { data } = await share('member', callId, 72);
  expect(Date.parse(data.expiresAt) - nowMs).toBe(72 * 3_600_000);
  expect(await list('admin', callId)).toMatchObject([
    { by: person('member').email, state: 'open', lastOpenedAt: null, openedCount: 0 },
  ]);
  await runtime.openShares.open(tokenIn(data));
  expect(await list('viewer', callId)).toMatchObject([
    { openedCount: 1, lastOpenedAt: new Date(nowMs).toISOString(), url: null, mayRevoke: false },
  ]);
});

it('shows nothing once it is revoked or has expired, the recording included', async () => {
  const callId = await addCall();
  const [one, other] = [(await share('member', callId)).data, (await share('member', callId, 1)).data];
  const [first, second] = [
    await runtime.openShares.open(tokenIn(one)),
    await runtime.openShares.open(tokenIn(other)),
  ];
  expect((await revoke('colleague', callId, one.id)).status).toBe(403);
  expect((await revoke('member', callId, one.id)).data).toMatchObject({ state: 'revoked', url: null });
  expect(await runtime.openShares.open(tokenIn(one))).toBeUndefined();
  expect((await play(first?.recordingUrl ?? '')).status).toBe(404);
  expect((await play(second?.recordingUrl ?? '')).status).toBe(200);
  nowMs += 3_600_000 - 1_000;
  expect(await runtime.openShares.open(tokenIn(other))).toBeDefined();
  const late = await runtime.openShares.open(tokenIn(other));
  nowMs += 1_000;
  expect(await runtime.openShares.open(tokenIn(other))).toBeUndefined();
  expect((await play(late?.recordingUrl ?? '')).status).toBe(404);
  expect((await list('member', callId)).map(({ state }) => state).toSorted()).toEqual(['expired', 'revoked']);
});

it('opens for no other text, and belongs to its workspace', async () => {
  const callId = await addCall();
  const { data } = await share('admin', callId);
  const token = tokenIn(data);
  for (const wrong of ['', data.id, `${token}x`, token.toLowerCase(), `share_other.${token.split('.')[1]}`])
    expect(await runtime.openShares.open(wrong)).toBeUndefined();
  expect((await share('viewer', callId)).status).toBe(403);
  expect((await share('stranger', callId)).status).toBe(403);
  expect((await revoke('stranger', callId, data.id)).status).toBe(404);
  expect((await share('member', callId, 0)).status).toBe(400);
  expect((await share('member', callId, 2_161)).status).toBe(400);
});

it('goes with the conversation', async () => {
  const callId = await addCall();
  const { data } = await share('member', callId);
  await runtime.deletion.delete(line.actor, callId);
  expect(await runtime.openShares.open(tokenIn(data))).toBeUndefined();
});
