import { afterAll, beforeAll, expect, it } from 'vitest';
import { GET as conversation } from '#app/api/conversation/[id]/route.ts';
import { GET as deliveries } from '#app/api/dashboard/webhooks/deliveries/route.ts';
import { GET as audit } from '#app/api/dashboard/audit/route.ts';
import { GET as listed } from '#app/api/dashboard/calls/route.ts';
import { DELETE as unrate, PUT as rate } from '#app/api/dashboard/calls/[callId]/rating/route.ts';
import { GET, PATCH } from '#app/api/dashboard/calls/[callId]/review/route.ts';
import { DELETE as removeTag, PUT as addTag } from '#app/api/dashboard/calls/[callId]/tags/[tag]/route.ts';
import { addSignedInMember, callRoute, type SignedInMember } from '#lib/auth/testing.ts';
import { seedLine, type SeededLine } from '#lib/features/calls/testing.ts';
import type { Conversation } from '#lib/features/conversations/contract.ts';
import { addEndedCall } from '#lib/features/webhooks/testing.ts';
import type { RouteHandler } from '#lib/http/route.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import type { CallReview } from './contract.ts';

let runtime: TestRuntime;
let line: SeededLine;
let count = 0;
const people: Record<string, SignedInMember> = {};

beforeAll(async () => {
  runtime = await startTestRuntime();
  line = await seedLine(runtime.db, 'reviews');
  for (const role of ['viewer', 'member', 'admin'] as const)
    people[role] = await addSignedInMember(runtime, 'ws_reviews', role);
  const other = await seedLine(runtime.db, 'reviews_elsewhere');
  people.stranger = await addSignedInMember(runtime, other.actor.workspaceId, 'owner');
});
afterAll(() => runtime.close());

async function addCall(tags: string[] = ['voicemail', 'action_needed']): Promise<string> {
  count += 1;
  const id = `cnv_review_${count}`;
  await addEndedCall(runtime.db, { id, workspaceId: 'ws_reviews', agentId: line.agentId, tags });
  return id;
}
const person = (name: string) => people[name] as SignedInMember;
const ask = (route: RouteHandler, who: string, params: Record<string, string>, body?: unknown) =>
  callRoute<CallReview>(route, { as: person(who), params, ...(body === undefined ? {} : { body }) });
const idsOf = async (who: string, query: Record<string, string>) =>
  (await callRoute<{ calls: { id: string }[] }>(listed, { as: person(who), query })).data.calls.map(
    ({ id }) => id,
  );

it("shows a person's tags apart from the analyzer's, and one set of them everywhere else", async () => {
  const callId = await addCall();
  await ask(addTag, 'member', { callId, tag: 'wants_refund' });
  const { data } = await ask(removeTag, 'admin', { callId, tag: 'voicemail' });
  expect(data.tags).toEqual([
    { tag: 'action_needed', state: 'kept', edit: null },
    { tag: 'wants_refund', state: 'added', edit: { by: person('member').email, at: expect.any(String) } },
    { tag: 'voicemail', state: 'removed', edit: { by: person('admin').email, at: expect.any(String) } },
  ]);
  const shown = await callRoute<Conversation>(conversation, { as: person('member'), params: { id: callId } });
  expect(shown.data.tags).toEqual(['action_needed', 'wants_refund']);
  expect(await idsOf('viewer', { tag: 'wants_refund' })).toEqual([callId]);
  expect(await idsOf('viewer', { search: 'wants_refund', status: 'ended' })).toEqual([callId]);
  const sent = await callRoute<{ deliveries: unknown[] }>(deliveries, { as: person('admin') });
  expect(sent.data.deliveries).toEqual([]);
});

it('takes an edit back without a trace on the conversation, but with one in the audit log', async () => {
  const callId = await addCall(['voicemail']);
  await ask(removeTag, 'member', { callId, tag: 'voicemail' });
  await ask(removeTag, 'member', { callId, tag: 'voicemail' });
  const { data } = await ask(addTag, 'member', { callId, tag: 'voicemail' });
  expect(data.tags).toEqual([{ tag: 'voicemail', state: 'kept', edit: null }]);
  const log = await callRoute<{ events: { action: string; data: unknown }[] }>(audit, {
    as: person('admin'),
    query: { targetId: callId },
  });
  expect(log.data.events.map(({ action }) => action)).toEqual(['call.tag.added', 'call.tag.removed']);
});

it('marks a conversation as reviewed, assigns it, and filters by both', async () => {
  const [callId, other] = [await addCall(['marked']), await addCall(['marked'])];
  const { userId, email } = person('member');
  await ask(PATCH, 'admin', { callId }, { assigneeId: userId });
  expect((await ask(PATCH, 'member', { callId: other }, { assigneeId: 'me' })).data.assignee?.id).toBe(
    userId,
  );
  await ask(PATCH, 'member', { callId: other }, { assigneeId: null });
  const { data } = await ask(PATCH, 'member', { callId }, { isReviewed: true });
  expect(data).toMatchObject({ reviewed: { by: email }, assignee: { id: userId, email } });
  const filter = (review: Record<string, string>) => idsOf('member', { tag: 'marked', ...review });
  expect(await filter({ review: 'done' })).toEqual([callId]);
  expect(await filter({ review: 'open' })).toEqual([other]);
  expect(await filter({ assignee: 'me' })).toEqual([callId]);
  expect(await filter({ assignee: 'none' })).toEqual([other]);
  expect(await idsOf('admin', { assignee: 'me' })).toEqual([]);
  const row = (
    await callRoute<{ calls: unknown[] }>(listed, { as: person('viewer'), query: { review: 'done' } })
  ).data.calls[0];
  expect(row).toMatchObject({ id: callId, isReviewed: true, assignee: email });
  await ask(PATCH, 'member', { callId }, { isReviewed: false, assigneeId: null });
  expect((await ask(GET, 'viewer', { callId })).data).toMatchObject({ reviewed: null, assignee: null });
});

it('assigns to nobody who could not review it', async () => {
  const callId = await addCall();
  for (const name of ['viewer', 'stranger'])
    expect((await ask(PATCH, 'admin', { callId }, { assigneeId: person(name).userId })).status).toBe(400);
});

it('keeps one rating of each member, with a sentence that a new number of stars leaves alone', async () => {
  const callId = await addCall();
  await ask(rate, 'member', { callId }, { stars: 2, sentence: ' Too slow. ' });
  await ask(rate, 'admin', { callId }, { stars: 5 });
  const { data } = await ask(rate, 'member', { callId }, { stars: 3 });
  expect(data.ratings).toMatchObject([
    { by: person('member').email, stars: 3, sentence: 'Too slow.' },
    { by: person('admin').email, stars: 5, sentence: null },
  ]);
  expect((await ask(unrate, 'admin', { callId })).data.ratings).toHaveLength(1);
  expect((await ask(unrate, 'admin', { callId })).status).toBe(404);
  for (const stars of [0, 6, 2.5])
    expect((await ask(rate, 'member', { callId }, { stars })).status).toBe(400);
});

it('lets viewers read, strangers nothing, and nobody review what goes on', async () => {
  const callId = await addCall();
  expect((await ask(GET, 'viewer', { callId })).status).toBe(200);
  expect((await ask(PATCH, 'viewer', { callId }, { isReviewed: true })).status).toBe(403);
  expect((await ask(addTag, 'viewer', { callId, tag: 'mine' })).status).toBe(403);
  expect((await ask(GET, 'stranger', { callId })).status).toBe(403);
  expect((await ask(rate, 'stranger', { callId }, { stars: 1 })).status).toBe(403);
  expect((await ask(addTag, 'member', { callId, tag: 'not, a tag' })).status).toBe(400);
  const to = parsePhoneNumber('+15550199901');
  const { conversationId } = await runtime.calls.queueOutbound(line.actor, {
    from: line.number,
    to,
    variables: { name: 'Alex' },
  });
  expect((await ask(addTag, 'member', { callId: conversationId, tag: 'early' })).error.message).toContain(
    'once it has ended',
  );
});
