import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GET as listRoute } from '#app/api/dashboard/agents/[agentId]/versions/route.ts';
import { POST as restoreRoute } from '#app/api/dashboard/agents/[agentId]/versions/[versionId]/restore/route.ts';
import { GET as getRoute } from '#app/api/dashboard/versions/[versionId]/route.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { callRoute, type SignedInMember } from '#lib/auth/testing.ts';
import type { TestRuntime } from '#lib/runtime-testing.ts';
import { startPublishing } from '../testing.ts';
import type { VersionDetail, VersionPage, VersionSummary } from './contract.ts';

let runtime: TestRuntime;
let alpha: Actor;
let member: SignedInMember;
let viewer: SignedInMember;
let stranger: SignedInMember;

beforeAll(async () => {
  ({ runtime, alpha, member, viewer, stranger } = await startPublishing('history'));
});
afterAll(() => runtime.close());

const newAgent = (inboundPrompt = 'Be kind.') =>
  runtime.agents.create(alpha, { name: 'Front desk', inboundPrompt });

const list = (agentId: string, as = viewer, query: Record<string, string> = {}) =>
  callRoute<VersionPage>(listRoute, { as, params: { agentId }, query });
const open = (versionId: string, as = viewer) =>
  callRoute<VersionDetail>(getRoute, { as, params: { versionId } });
const restore = (agentId: string, versionId: string, as = member) =>
  callRoute<VersionSummary>(restoreRoute, { as, params: { agentId, versionId } });

async function versionOf(agentId: string, number: number): Promise<VersionSummary> {
  const { data } = await list(agentId);
  const found = data.versions.find((version) => version.number === number);
  if (!found) throw new Error(`no version ${number}`);
  return found;
}

describe('the versions of an agent', () => {
  it('are listed the latest first, page by page, with the published one marked', async () => {
    const { id } = await newAgent();
    for (const text of ['Two.', 'Three.'])
      await runtime.agents.setChatPrompt(alpha, id, { chatPrompt: text });
    const first = await list(id, viewer, { limit: '2' });
    expect(first.data.versions.map(({ number, isPublished }) => [number, isPublished])).toEqual([
      [3, true],
      [2, false],
    ]);
    expect(first.data.nextBefore).toBe(2);
    const second = await list(id, viewer, { limit: '2', before: '2' });
    expect(second.data).toMatchObject({ versions: [{ number: 1 }], nextBefore: null });
  });

  it('are not seen by another workspace', async () => {
    const { id } = await newAgent();
    const version = await versionOf(id, 1);
    expect((await list(id, stranger)).status).toBe(403);
    expect((await open(version.id, stranger)).status).toBe(403);
    expect((await restore(id, version.id, stranger)).status).toBe(403);
  });

  it('can be opened after their agent was deleted, and not restored', async () => {
    const { id } = await newAgent('You answer for a dentist.');
    const version = await versionOf(id, 1);
    await runtime.agents.remove(alpha, id);
    expect((await open(version.id)).data).toMatchObject({
      agentName: 'Front desk',
      isAgentDeleted: true,
      isPublished: false,
      agent: { inboundPrompt: 'You answer for a dentist.' },
    });
    expect((await list(id)).data.versions).toHaveLength(1);
    expect((await restore(id, version.id)).status).toBe(404);
  });
});

describe('restoring a version', () => {
  it('brings back agent and prompts as they were, ids and order included, as a new version', async () => {
    const { id } = await newAgent('First.');
    const one = await runtime.prompts.create(alpha, id, { title: 'One', instructions: 'Say one.' });
    const two = await runtime.prompts.create(alpha, id, { title: 'Two', instructions: 'Say two.' });
    const before = await runtime.prompts.list(alpha, id);
    await runtime.agents.setInboundPrompt(alpha, id, { inboundPrompt: 'Second.' });
    await runtime.prompts.remove(alpha, { agentId: id, promptId: one.id });
    await runtime.prompts.update(alpha, { agentId: id, promptId: two.id }, { title: 'Two, changed' });
    await runtime.prompts.create(alpha, id, { title: 'Three', instructions: 'Say three.' });

    const answer = await restore(id, (await versionOf(id, 3)).id);
    expect(answer.status).toBe(200);
    expect(answer.data).toMatchObject({
      number: 8,
      restoredNumber: 3,
      isPublished: true,
      author: { kind: 'user', label: member.email },
    });
    const prompts = await runtime.prompts.list(alpha, id);
    const shown = (prompt: (typeof prompts)[number]) => ({ ...prompt, updatedAt: '' });
    expect(prompts.map(shown)).toEqual(before.map(shown));
    expect((await runtime.agents.get(alpha, id)).inboundPrompt).toBe('First.');
    const { events } = await runtime.audit.list(alpha, { limit: 1, targetId: id });
    expect(events[0]).toMatchObject({ action: 'agent.restored', data: { number: 3, name: 'Front desk' } });
  });

  it('writes nothing where the agent is that already', async () => {
    const { id } = await newAgent();
    const answer = await restore(id, (await versionOf(id, 1)).id);
    expect(answer.data).toMatchObject({ number: 1, restoredNumber: null });
    const { events } = await runtime.audit.list(alpha, { limit: 10, targetId: id });
    expect(events.map(({ action }) => action)).not.toContain('agent.restored');
  });

  it('does not switch an agent on that was switched off', async () => {
    const { id } = await newAgent();
    await runtime.agents.update(alpha, id, { isActive: false, name: 'Renamed' });
    await restore(id, (await versionOf(id, 1)).id);
    expect(await runtime.agents.get(alpha, id)).toMatchObject({ isActive: false, name: 'Front desk' });
  });

  it('is for members, and where it changes who gets transcripts for admins', async () => {
    const { id } = await newAgent();
    await runtime.agents.updateSettings(alpha, id, { hasPostConversationWebhook: true });
    const first = await versionOf(id, 1);
    expect((await restore(id, first.id, viewer)).status).toBe(403);
    expect((await restore(id, first.id)).status).toBe(403);
    expect((await runtime.agents.get(alpha, id)).hasPostConversationWebhook).toBe(true);
    await runtime.history.restore(alpha, { agentId: id, versionId: first.id });
    expect((await runtime.agents.get(alpha, id)).hasPostConversationWebhook).toBe(false);
  });

  it('finds no version of another agent', async () => {
    const { id } = await newAgent();
    const other = await newAgent();
    expect((await restore(id, (await versionOf(other.id, 1)).id)).status).toBe(404);
  });
});
