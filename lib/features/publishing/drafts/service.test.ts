import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GET as detailRoute } from '#app/api/dashboard/agents/[agentId]/route.ts';
import {
  DELETE as discardRoute,
  POST as editRoute,
} from '#app/api/dashboard/agents/[agentId]/draft/route.ts';
import { POST as publishRoute } from '#app/api/dashboard/agents/[agentId]/draft/publish/route.ts';
import { GET as listRoute } from '#app/api/dashboard/agents/[agentId]/outbound-prompts/route.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { callRoute, type SignedInMember } from '#lib/auth/testing.ts';
import type { AgentDetail } from '#lib/features/agents/dashboard/contract.ts';
import type { OutboundPromptView } from '#lib/features/prompts/contract.ts';
import type { TestRuntime } from '#lib/runtime-testing.ts';
import { startPublishing } from '../testing.ts';
import type { DraftEdit } from './contract.ts';

let runtime: TestRuntime;
let alpha: Actor;
let member: SignedInMember;
let viewer: SignedInMember;
let stranger: SignedInMember;

beforeAll(async () => {
  ({ runtime, alpha, member, viewer, stranger } = await startPublishing('drafts'));
});
afterAll(() => runtime.close());

const GREETING = 'You are Mia from Alpha Dental. Greet callers with: "Alpha Dental, Mia speaking."';
const newAgent = () => runtime.agents.create(alpha, { name: 'Front desk', inboundPrompt: GREETING });
const edit = (agentId: string, body: DraftEdit, as = member) =>
  callRoute<{ promptId: string | null }>(editRoute, { as, params: { agentId }, body });
const detail = async (agentId: string) =>
  (await callRoute<AgentDetail>(detailRoute, { as: viewer, params: { agentId } })).data;
const publish = (agentId: string, as = member) =>
  callRoute<AgentDetail>(publishRoute, { as, params: { agentId } });
const discard = (agentId: string, as = member) =>
  callRoute<AgentDetail>(discardRoute, { as, params: { agentId } });
const prompts = async (agentId: string) =>
  (await callRoute<OutboundPromptView[]>(listRoute, { as: viewer, params: { agentId } })).data;
const inbound = (inboundPrompt: string): DraftEdit => ({ kind: 'inbound_prompt', body: { inboundPrompt } });

describe('a draft', () => {
  it('is what the editor shows, and not what the API and calls see', async () => {
    const { id } = await newAgent();
    expect((await detail(id)).draft).toBeNull();
    const worse = 'You are Rex from Alpha Dental. Greet callers with: "Alpha Dental, what now?"';
    expect((await edit(id, inbound(worse))).status).toBe(200);
    const edited = await detail(id);
    expect(edited.agent).toMatchObject({
      inboundPrompt: worse,
      personaName: 'Rex',
      inboundGreeting: 'Alpha Dental, what now?',
    });
    expect(edited.draft).toMatchObject({ author: { kind: 'user', label: member.email }, conflicts: [] });
    expect(edited.draft?.changes.map(({ fields }) => fields.includes('inboundPrompt'))).toEqual([true]);
    expect(await runtime.agents.get(alpha, id)).toMatchObject({
      inboundPrompt: GREETING,
      personaName: 'Mia',
    });
  });

  it('takes prompts that are made, changed and deleted', async () => {
    const { id } = await newAgent();
    const published = await runtime.prompts.create(alpha, id, {
      title: 'Recall',
      instructions: 'Call back.',
    });
    const made = await edit(id, { kind: 'new_prompt', body: { title: 'Survey', instructions: 'Ask.' } });
    const promptId = made.data.promptId ?? '';
    await edit(id, { kind: 'prompt', promptId, body: { opening: 'Do you have a minute?' } });
    await edit(id, { kind: 'remove_prompt', promptId: published.id });
    expect((await prompts(id)).map(({ title, opening }) => [title, opening])).toEqual([
      ['Survey', 'Do you have a minute?'],
    ]);
    expect((await runtime.prompts.list(alpha, id)).map(({ title }) => title)).toEqual(['Recall']);
    await publish(id);
    expect((await runtime.prompts.list(alpha, id)).map(({ title }) => title)).toEqual(['Survey']);
  });

  it('is published as one version, by whoever published it', async () => {
    const { id } = await newAgent();
    await edit(id, { kind: 'settings', body: { hasBargeIn: false } });
    await edit(id, { kind: 'chat_prompt', body: { chatPrompt: 'Write briefly.' } });
    const answer = await publish(id);
    expect(answer.data).toMatchObject({ draft: null, chatPrompt: 'Write briefly.' });
    const { versions } = await runtime.history.list(alpha, id, { limit: 10 });
    expect(versions.map(({ number, isPublished, author }) => [number, isPublished, author.label])).toEqual([
      [2, true, member.email],
      [1, false, 'test'],
    ]);
    expect((await publish(id)).status).toBe(400);
  });

  it('is gone when it is discarded, and nothing of it was published', async () => {
    const { id } = await newAgent();
    await edit(id, inbound('Worse.'));
    expect((await discard(id)).data).toMatchObject({ draft: null, agent: { inboundPrompt: GREETING } });
    expect((await runtime.history.list(alpha, id, { limit: 10 })).versions).toHaveLength(1);
  });

  it('keeps its own where the API publishes the same field, says so, and follows it elsewhere', async () => {
    const { id } = await newAgent();
    await edit(id, { kind: 'settings', body: { hints: 'draft' } });
    await runtime.agents.updateSettings(alpha, id, { hints: 'published', voiceId: 'en-slt' });
    const merged = await detail(id);
    expect(merged.agent).toMatchObject({ hints: 'draft', voiceId: 'en-slt' });
    expect(merged.draft?.conflicts).toEqual([{ promptId: null, field: 'hints' }]);
    expect(merged.draft?.changes).toEqual([
      { promptId: null, title: null, kind: 'changed', fields: ['hints'] },
    ]);
    await edit(id, { kind: 'settings', body: { hints: 'both' } });
    expect((await detail(id)).draft?.conflicts).toEqual([]);
  });

  it('can be talked to as a test, and only as one', async () => {
    const { id } = await newAgent();
    await edit(id, { kind: 'chat_prompt', body: { chatPrompt: 'You are Rex. Greet people with: "What?"' } });
    const agentVersionId = (await detail(id)).draft?.versionId ?? '';
    const chat = await runtime.chats.create(alpha, id, { isTest: true, agentVersionId });
    expect((await runtime.conversations.getCall(alpha, chat.conversationId)).version).toEqual({
      id: agentVersionId,
      number: null,
    });
    await expect(runtime.chats.create(alpha, id, { agentVersionId })).rejects.toMatchObject({ status: 400 });
    const talk = await runtime.webCalls.prepare(alpha, id, { isTest: true, agentVersionId });
    expect(talk.conversationId).toBeTruthy();
    const other = await newAgent();
    const wrong = runtime.webCalls.prepare(alpha, other.id, { isTest: true, agentVersionId });
    await expect(wrong).rejects.toMatchObject({ status: 404 });
  });

  it('needs a member to save and an admin to change who gets transcripts', async () => {
    const { id } = await newAgent();
    const redirect: DraftEdit = { kind: 'settings', body: { hasPostConversationWebhook: true } };
    expect((await edit(id, redirect, viewer)).status).toBe(403);
    expect((await edit(id, redirect, stranger)).status).toBe(403);
    expect((await edit(id, redirect)).status).toBe(200);
    expect((await publish(id)).status).toBe(403);
    expect((await runtime.agents.get(alpha, id)).hasPostConversationWebhook).toBe(false);
    await runtime.drafts.publish(alpha, id);
    expect((await runtime.agents.get(alpha, id)).hasPostConversationWebhook).toBe(true);
  });
});
