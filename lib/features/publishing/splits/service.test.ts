/** @module-tag postgres */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GET as listRoute, POST as startRoute } from '#app/api/dashboard/agents/[agentId]/splits/route.ts';
import { POST as endRoute } from '#app/api/dashboard/splits/[splitId]/end/route.ts';
import { GET as getRoute, PATCH as changeRoute } from '#app/api/dashboard/splits/[splitId]/route.ts';
import { agentDrafts } from '#db/schema/versions.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { callRoute, type SignedInMember } from '#lib/auth/testing.ts';
import { type CallParts, loadHeldParts, loadSharedParts } from '#lib/features/calls/execution/plan.ts';
import { isInShare } from '#lib/features/versions/rules.ts';
import { addEndedCalls } from '#lib/features/webhooks/testing.ts';
import type { TestRuntime } from '#lib/runtime-testing.ts';
import { startPublishing } from '../testing.ts';
import type { Split, SplitResults } from './contract.ts';

let runtime: TestRuntime;
let alpha: Actor;
let member: SignedInMember;
let viewer: SignedInMember;
let stranger: SignedInMember;

beforeAll(async () => {
  ({ runtime, alpha, member, viewer, stranger } = await startPublishing('splits'));
});
afterAll(() => runtime.close());

const start = (agentId: string, body: { versionId: string | null; percent: number }, as = member) =>
  callRoute<Split>(startRoute, { as, params: { agentId }, body });
const change = (splitId: string, percent: number, as = member) =>
  callRoute<Split>(changeRoute, { as, params: { splitId }, body: { percent } });
const end = (splitId: string, how: 'publish' | 'stop', as = member) =>
  callRoute<Split>(endRoute, { as, params: { splitId }, body: { how } });
const get = (splitId: string, as = viewer) => callRoute<SplitResults>(getRoute, { as, params: { splitId } });
const list = (agentId: string, as = viewer) => callRoute<Split[]>(listRoute, { as, params: { agentId } });

const versions = async (agentId: string) =>
  (await runtime.history.list(alpha, agentId, { limit: 30 })).versions;
const versionId = async (agentId: string, number: number) =>
  (await versions(agentId)).find((version) => version.number === number)?.id ?? '';

/** An agent of two versions: "First." and "Second.", which is published. */
async function newAgent() {
  const { id } = await runtime.agents.create(alpha, { name: 'Front desk', inboundPrompt: 'First.' });
  await runtime.agents.setInboundPrompt(alpha, id, { inboundPrompt: 'Second.' });
  return { id, first: await versionId(id, 1), second: await versionId(id, 2) };
}

type Held = { id: string; isTest?: boolean; retryOf?: string; outboundPromptId?: string };

/** What a conversation is held with. */
async function heldParts(agentId: string, { id, ...given }: Held): Promise<CallParts> {
  const call = {
    id,
    agentId,
    isTest: given.isTest ?? false,
    retryOf: given.retryOf ?? null,
    outboundPromptId: given.outboundPromptId ?? null,
    agentVersionId: null,
  };
  const published = await loadHeldParts(runtime.db, runtime.ids, alpha.workspaceId, call);
  if (!published) throw new Error('no such agent');
  return (await loadSharedParts(runtime.db, alpha.workspaceId, call, published)) ?? published;
}

const idIn = (percent: number, isIn: boolean, prefix = 'cnv_in'): string => {
  for (let count = 0; ; count += 1)
    if (isInShare(`${prefix}_${count}`, percent) === isIn) return `${prefix}_${count}`;
};

describe('a second version', () => {
  it('is what its share of the conversations is held with, and what is published the others', async () => {
    const { id, first, second } = await newAgent();
    const { data, status } = await start(id, { versionId: first, percent: 20 });
    expect(status).toBe(200);
    expect(data).toMatchObject({
      version: { id: first, number: 1 },
      percent: 20,
      endedAt: null,
      steps: [{ kind: 'started', percent: 20, published: { id: second, number: 2 } }],
    });
    const inside = await heldParts(id, { id: idIn(20, true) });
    expect(inside.agent).toMatchObject({ versionId: first, inboundPrompt: 'First.' });
    const outside = await heldParts(id, { id: idIn(20, false) });
    expect(outside.agent).toMatchObject({ versionId: second, inboundPrompt: 'Second.' });
    expect((await runtime.agents.get(alpha, id)).inboundPrompt).toBe('Second.');
  });

  it('is what a chat keeps that began with it, whatever happens to the share', async () => {
    const { id, first, second } = await newAgent();
    const { data } = await start(id, { versionId: first, percent: 99 });
    const chats = await Promise.all(Array.from({ length: 6 }, () => runtime.chats.create(alpha, id, {})));
    const held = await Promise.all(
      chats.map(({ conversationId }) => runtime.conversations.getCall(alpha, conversationId)),
    );
    expect(held.map(({ version }) => version?.id)).toEqual(
      chats.map(({ conversationId }) => (isInShare(conversationId, 99) ? first : second)),
    );
    await end(data.id, 'stop');
    const again = await runtime.conversations.getCall(alpha, chats[0]?.conversationId ?? '');
    expect(again.version).toEqual(held[0]?.version);
    const later = await runtime.chats.create(alpha, id, {});
    expect((await runtime.conversations.getCall(alpha, later.conversationId)).version?.id).toBe(second);
  });

  it('gets no tests, unless they name it', async () => {
    const { id, first, second } = await newAgent();
    await start(id, { versionId: first, percent: 99 });
    const test = await heldParts(id, { id: idIn(99, true), isTest: true });
    expect(test.agent.versionId).toBe(second);
    const chat = await runtime.chats.create(alpha, id, { isTest: true, agentVersionId: first });
    const call = await runtime.conversations.getCall(alpha, chat.conversationId);
    expect(call.version?.id).toBe(first);
  });

  it('gets no call with a prompt that it does not have, or that was deleted', async () => {
    const { id, first } = await newAgent();
    const place = { title: 'Reminder', instructions: 'Remind them.' };
    const kept = await runtime.prompts.create(alpha, id, place);
    const third = await versionId(id, 3);
    await start(id, { versionId: first, percent: 99 });
    const callId = idIn(99, true);
    const lacking = await heldParts(id, { id: callId, outboundPromptId: kept.id });
    // What it lacks is refused by its plan, which then is made with what is published.
    expect(lacking.prompt).toBeNull();
    const [running] = (await list(id)).data;
    await end(running?.id ?? '', 'stop');
    await runtime.agents.setInboundPrompt(alpha, id, { inboundPrompt: 'Fourth.' });
    await start(id, { versionId: third, percent: 99 });
    const having = await heldParts(id, { id: callId, outboundPromptId: kept.id });
    expect(having.agent.versionId).toBe(third);
    await runtime.prompts.remove(alpha, { agentId: id, promptId: kept.id });
    const deleted = await heldParts(id, { id: callId, outboundPromptId: kept.id });
    expect(deleted.prompt).toBeNull();
    expect(deleted.agent.versionId).not.toBe(third);
  });

  it('is kept by a further attempt of a call that was held with it, as long as it gets any', async () => {
    const { id, first, second } = await newAgent();
    const started = await start(id, { versionId: first, percent: 50 });
    const [withFirst, withSecond] = [idIn(50, true, `cnv_a_${id}`), idIn(50, false, `cnv_b_${id}`)];
    const given = { workspaceId: alpha.workspaceId, agentId: id, dateInitiated: new Date() };
    await addEndedCalls(runtime.db, [
      { id: withFirst, ...given, agentVersionId: first },
      { id: withSecond, ...given, agentVersionId: second },
    ]);
    const held = async (retryOf: string) =>
      (await heldParts(id, { id: runtime.ids.next('cnv'), retryOf })).agent.versionId;
    await change(started.data.id, 1);
    expect(await held(withFirst)).toBe(first);
    await change(started.data.id, 99);
    expect(await held(withSecond)).toBe(second);
    await end(started.data.id, 'stop');
    expect(await held(withFirst)).toBe(second);
  });
});

describe('the draft', () => {
  it('is published for a share as a version of its own, which what is published never was', async () => {
    const { id } = await newAgent();
    const body = { inboundPrompt: 'Third, tried.' };
    await runtime.drafts.edit(alpha, id, { kind: 'inbound_prompt', body });
    const { data } = await start(id, { versionId: null, percent: 10 });
    expect(data.version.number).toBe(3);
    expect((await runtime.drafts.getDetail(alpha, id)).draft).toBeNull();
    expect(await versions(id)).toMatchObject([
      { number: 3, isPublished: false, isShareOnly: true },
      { number: 2, isPublished: true, isShareOnly: false },
      { number: 1 },
    ]);
    await runtime.agents.setChatPrompt(alpha, id, { chatPrompt: 'Briefly.' });
    const [saved] = await versions(id);
    expect(saved).toMatchObject({ number: 4, isPublished: true, changes: [{ fields: ['chatPrompt'] }] });
    expect((await end(data.id, 'publish')).data.endedAt).not.toBeNull();
    expect((await versions(id))[0]).toMatchObject({ number: 5, restoredNumber: 3, isPublished: true });
    const agent = await runtime.drafts.getDetail(alpha, id);
    expect(agent).toMatchObject({
      agent: { inboundPrompt: 'Third, tried.' },
      chatPrompt: null,
      split: null,
    });
  });

  it('must be there, and have a number to be named', async () => {
    const { id } = await newAgent();
    expect((await start(id, { versionId: null, percent: 10 })).status).toBe(400);
    await runtime.drafts.edit(alpha, id, { kind: 'inbound_prompt', body: { inboundPrompt: 'Third.' } });
    const { draft } = await runtime.drafts.getDetail(alpha, id);
    const named = await start(id, { versionId: draft?.versionId ?? '', percent: 10 });
    expect(named.status).toBe(400);
    expect((await runtime.drafts.getDetail(alpha, id)).draft).not.toBeNull();
  });
});

describe('a share', () => {
  it('is started, changed and ended by members, and each is in the audit log and in its steps', async () => {
    const { id, first, second } = await newAgent();
    expect((await start(id, { versionId: first, percent: 20 }, viewer)).status).toBe(403);
    const { data } = await start(id, { versionId: first, percent: 20 });
    expect((await change(data.id, 40, viewer)).status).toBe(403);
    expect((await change(data.id, 40)).data.percent).toBe(40);
    expect((await end(data.id, 'stop', viewer)).status).toBe(403);
    const ended = await end(data.id, 'stop');
    expect(ended.data.steps.map(({ kind, percent }) => [kind, percent])).toEqual([
      ['started', 20],
      ['changed', 40],
      ['stopped', 40],
    ]);
    expect(ended.data.steps[2]?.author).toEqual({ kind: 'user', label: member.email });
    const { events } = await runtime.audit.list(alpha, { limit: 3, targetId: id });
    expect(events.map(({ action, data: told }) => [action, told.number, told.percent])).toEqual([
      ['agent.split_stopped', 1, 40],
      ['agent.split_changed', 1, 40],
      ['agent.split_started', 1, 20],
    ]);
    expect((await change(data.id, 50)).status).toBe(400);
    expect((await end(data.id, 'publish')).status).toBe(400);
    expect((await runtime.agents.get(alpha, id)).inboundPrompt).toBe('Second.');
    expect((await heldParts(id, { id: idIn(40, true) })).agent.versionId).toBe(second);
  });

  it('is one at a time, of a version that is not what is published, and of 1 to 99', async () => {
    const { id, first, second } = await newAgent();
    expect((await start(id, { versionId: second, percent: 20 })).status).toBe(400);
    for (const percent of [0, 100, 12.5])
      expect((await start(id, { versionId: first, percent })).status).toBe(400);
    expect((await start(id, { versionId: 'ver_nobody', percent: 20 })).status).toBe(404);
    await start(id, { versionId: first, percent: 20 });
    expect((await start(id, { versionId: first, percent: 20 })).status).toBe(400);
    expect((await list(id)).data).toHaveLength(1);
  });

  it('is started once where two people start one, and ended once where two end it', async () => {
    const { id, first } = await newAgent();
    const both = await Promise.all([20, 30].map((percent) => start(id, { versionId: first, percent })));
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 400]);
    const [running] = (await list(id)).data;
    const splitId = running?.id ?? '';
    const changed = await Promise.all([40, 50, 60].map((percent) => change(splitId, percent)));
    expect(changed.map(({ status }) => status)).toEqual([200, 200, 200]);
    const ended = await Promise.all([end(splitId, 'stop'), end(splitId, 'publish')]);
    expect(ended.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 400]);
    const [last] = (await list(id)).data;
    expect(last?.steps).toHaveLength(5);
    expect(last?.steps.filter(({ kind }) => kind === 'stopped' || kind === 'published')).toHaveLength(1);
  });

  it('changed while conversations are planned leaves each with one version, named by what it says', async () => {
    const { id, first, second } = await newAgent();
    const { data } = await start(id, { versionId: first, percent: 30 });
    const planning = Array.from({ length: 40 }, (_, count) => heldParts(id, { id: `cnv_race_${count}` }));
    const changing = [70, 10, 50].map((percent) => change(data.id, percent));
    const held = await Promise.all(planning);
    await Promise.all(changing);
    for (const { agent } of held) {
      expect([first, second]).toContain(agent.versionId);
      expect(agent.inboundPrompt).toBe(agent.versionId === first ? 'First.' : 'Second.');
    }
  });

  it('goes on beside whatever is published meanwhile', async () => {
    const { id, first } = await newAgent();
    const { data } = await start(id, { versionId: first, percent: 50 });
    await runtime.agents.setInboundPrompt(alpha, id, { inboundPrompt: 'Third.' });
    expect((await heldParts(id, { id: idIn(50, true) })).agent.inboundPrompt).toBe('First.');
    expect((await heldParts(id, { id: idIn(50, false) })).agent.inboundPrompt).toBe('Third.');
    expect((await get(data.id)).data.versions).toMatchObject([
      { number: 1, part: 'shared' },
      { number: 3, part: 'published' },
    ]);
  });

  it('ends with its agent, whose draft goes too', async () => {
    const { id, first } = await newAgent();
    const { data } = await start(id, { versionId: first, percent: 50 });
    await runtime.drafts.edit(alpha, id, { kind: 'inbound_prompt', body: { inboundPrompt: 'Third.' } });
    await runtime.agents.remove(alpha, id);
    expect(await runtime.db.$count(agentDrafts, eq(agentDrafts.agentId, id))).toBe(0);
    const shown = await get(data.id);
    expect(shown.data).toMatchObject({ isAgentDeleted: true, version: { id: first } });
    expect(shown.data.endedAt).not.toBeNull();
    expect((await change(data.id, 10)).status).toBe(404);
  });

  it('is not seen or changed by another workspace', async () => {
    const { id, first } = await newAgent();
    const { data } = await start(id, { versionId: first, percent: 50 });
    const answers = await Promise.all([
      list(id, stranger),
      get(data.id, stranger),
      start(id, { versionId: first, percent: 1 }, stranger),
      change(data.id, 1, stranger),
      end(data.id, 'stop', stranger),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
  });
});
