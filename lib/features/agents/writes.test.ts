import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PUT as putChat } from '#app/api/agents/[agentId]/chat-prompt/route.ts';
import { PUT as putInbound } from '#app/api/agents/[agentId]/inbound-prompt/route.ts';
import { PUT as putBases } from '#app/api/agents/[agentId]/knowledge-bases/route.ts';
import { PUT as putPrompt } from '#app/api/agents/[agentId]/outbound-prompts/[promptId]/route.ts';
import { PUT as putSettings } from '#app/api/agents/[agentId]/settings/route.ts';
import { POST as duplicate } from '#app/api/dashboard/agents/[agentId]/duplicate/route.ts';
import { PATCH as patchPrompt } from '#app/api/dashboard/agents/[agentId]/outbound-prompts/[promptId]/route.ts';
import { PATCH as patchAgent } from '#app/api/dashboard/agents/[agentId]/route.ts';
import { PUT as putBaseAgents } from '#app/api/dashboard/knowledge/[id]/agents/route.ts';
import { PATCH as patchTag } from '#app/api/dashboard/tags/[name]/route.ts';
import { PUT as putBase } from '#app/api/knowledge-bases/[id]/route.ts';
import type { Actor, Role } from '#lib/auth/actor.ts';
import { addSignedInMember, addWorkspace, callRoute, type SignedInMember } from '#lib/auth/testing.ts';
import { manualClock } from '#lib/ports/testing.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import type { AgentView } from './contract.ts';

let runtime: TestRuntime;
let actor: Actor;
let headers: Record<string, string>;
const clock = manualClock();
const people = new Map<Role, SignedInMember>();

beforeAll(async () => {
  runtime = await startTestRuntime({ overrides: { clock } });
  actor = await addWorkspace(runtime, 'ws_writes');
  headers = { 'x-api-key': (await runtime.keys.create(actor, { name: 'test' })).key };
  for (const role of ['member', 'admin'] as const)
    people.set(role, await addSignedInMember(runtime, 'ws_writes', role));
});
afterAll(() => runtime.close());

function signedIn(role: Role): SignedInMember {
  const person = people.get(role);
  if (!person) throw new Error(`no ${role} is signed in`);
  return person;
}

/** Everything that a write could have touched. */
async function stateOf(agentId: string, promptId: string, baseId: string) {
  return {
    agent: await runtime.agents.getDetail(actor, agentId),
    prompt: await runtime.prompts.get(actor, { agentId, promptId }),
    bases: await runtime.knowledge.bases.listOfAgent(actor, agentId),
    base: await runtime.knowledge.bases.overview(actor, baseId),
    tags: await runtime.tags.list(actor),
    log: (await runtime.audit.list(actor, { limit: 1 })).events,
  };
}

describe('a write that changes nothing', () => {
  it('leaves updatedAt and the audit log alone, whether it is empty or repeats what is stored', async () => {
    const { id: agentId } = await runtime.agents.create(actor, {
      name: 'Front desk',
      inboundPrompt: 'You are Nora from Northwind Dental.',
    });
    await runtime.agents.setChatPrompt(actor, agentId, { chatPrompt: 'Be brief.' });
    const prompt = await runtime.prompts.create(actor, agentId, { title: 'A', instructions: 'Remind them.' });
    const base = await runtime.knowledge.bases.create(actor, { name: 'Handbook', description: 'Prices' });
    await runtime.knowledge.bases.setOfAgent(actor, agentId, [base.id]);
    await runtime.tags.create(actor, { name: 'invoice', description: 'Asked for an invoice.' });
    const before = await stateOf(agentId, prompt.id, base.id);
    await clock.advance(60_000);

    const { agent, chatPrompt } = before.agent;
    const { opening, personaName, businessName, voicePrompt, title, instructions } = before.prompt;
    const [member, admin] = [signedIn('member'), signedIn('admin')];
    const onAgent = { agentId };
    const onPrompt = { agentId, promptId: prompt.id };
    const writes: [Parameters<typeof callRoute>[0], Parameters<typeof callRoute>[1]][] = [
      [putSettings, { headers, params: onAgent, body: {} }],
      [putSettings, { headers, params: onAgent, body: { ...agent, inboundSinglePrompt: null } }],
      [putInbound, { headers, params: onAgent, body: { inboundPrompt: agent.inboundPrompt } }],
      [putChat, { headers, params: onAgent, body: { chatPrompt } }],
      [putBases, { headers, params: onAgent, body: { knowledgeBaseIds: [base.id, base.id] } }],
      [putPrompt, { headers, params: onPrompt, body: {} }],
      [
        putPrompt,
        {
          headers,
          params: onPrompt,
          body: { opening, personaName, businessName, voicePrompt, title, instructions },
        },
      ],
      [putBase, { headers, params: { id: base.id }, body: {} }],
      [putBase, { headers, params: { id: base.id }, body: { name: 'Handbook', description: 'Prices' } }],
      [patchAgent, { as: member, params: onAgent, body: {} }],
      [patchAgent, { as: member, params: onAgent, body: { name: 'Front desk', isActive: true } }],
      [patchPrompt, { as: member, params: onPrompt, body: {} }],
      [putBaseAgents, { as: member, params: { id: base.id }, body: { agentIds: [agentId] } }],
      [patchTag, { as: admin, params: { name: 'invoice' }, body: { description: 'Asked for an invoice.' } }],
    ];
    for (const [handler, call] of writes) expect((await callRoute(handler, call)).status).toBe(200);
    expect(await stateOf(agentId, prompt.id, base.id)).toEqual(before);
  });
});

describe('where the transcripts of an agent go', () => {
  const change = { hasPostConversationWebhook: true, postConversationWebhookUrl: 'https://1.1.1.1/take' };

  it('is changed by admins and keys, and not by members', async () => {
    const { id: agentId } = await runtime.agents.create(actor, { name: 'Reception' });
    const refused = await callRoute(putSettings, {
      as: signedIn('member'),
      params: { agentId },
      body: { ...change, hints: 'Kestrel' },
    });
    expect(refused).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } });
    expect(refused.error.message).toMatch(/^hasPostConversationWebhook: .*needs the role admin/);
    expect(await runtime.agents.get(actor, agentId)).toMatchObject({
      hasPostConversationWebhook: false,
      hints: null,
    });

    const byKey = await callRoute<AgentView>(putSettings, { headers, params: { agentId }, body: change });
    expect(byKey.data).toMatchObject(change);
    const admin = signedIn('admin');
    const cleared = { postConversationWebhookUrl: null };
    const byAdmin = await callRoute<AgentView>(putSettings, {
      as: admin,
      params: { agentId },
      body: cleared,
    });
    expect(byAdmin.data).toMatchObject({ ...change, ...cleared });
    const [event] = (await runtime.audit.list(actor, { limit: 1 })).events;
    expect(event).toMatchObject({
      actorLabel: admin.email,
      data: { postConversationWebhookUrl: { from: change.postConversationWebhookUrl, to: null } },
    });
  });

  it('stays for a member who sends back what was read, and who copies the agent', async () => {
    const { id: agentId } = await runtime.agents.create(actor, { name: 'Desk' });
    await callRoute(putSettings, { headers, params: { agentId }, body: change });
    const as = signedIn('member');
    const kept = await callRoute<AgentView>(putSettings, {
      as,
      params: { agentId },
      body: { ...change, hints: 'x' },
    });
    expect(kept).toMatchObject({ status: 200, data: { ...change, hints: 'x' } });
    const copy = await callRoute<AgentView>(duplicate, { as, params: { agentId } });
    expect(copy).toMatchObject({ status: 201, data: change });
  });
});
