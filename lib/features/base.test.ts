import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PUT as putPrompt } from '#app/api/agents/[agentId]/inbound-prompt/route.ts';
import { PUT as putBases } from '#app/api/agents/[agentId]/knowledge-bases/route.ts';
import { PUT as putFields } from '#app/api/agents/[agentId]/result-fields/route.ts';
import { PUT as putSettings } from '#app/api/agents/[agentId]/settings/route.ts';
import { POST as editDraft } from '#app/api/dashboard/agents/[agentId]/draft/route.ts';
import { PATCH as patchWorkspace } from '#app/api/dashboard/workspace/route.ts';
import { PUT as putWebhook } from '#app/api/dashboard/webhooks/settings/route.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { addSignedInMember, addWorkspace, callRoute, type SignedInMember } from '#lib/auth/testing.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';

let runtime: TestRuntime;
let alpha: Actor;
let admin: SignedInMember;

beforeAll(async () => {
  runtime = await startTestRuntime();
  alpha = await addWorkspace(runtime, 'ws_base');
  admin = await addSignedInMember(runtime, alpha.workspaceId, 'admin');
});
afterAll(() => runtime.close());

const FIRST = 'You are Mia. Say hello.';
const newAgent = () => runtime.agents.create(alpha, { name: 'Front desk', inboundPrompt: FIRST });
const save = (agentId: string, body: Record<string, unknown>) =>
  callRoute(putPrompt, { as: admin, params: { agentId }, body });
const textOf = async (agentId: string) => (await runtime.agents.get(alpha, agentId)).inboundPrompt;

describe('two people who save the same form', () => {
  it('do not overwrite each other: the second gets both texts, and nothing is saved', async () => {
    const { id } = await newAgent();
    const base = { inboundPrompt: FIRST };
    expect((await save(id, { inboundPrompt: 'Theirs.', base })).status).toBe(200);
    const refused = await save(id, { inboundPrompt: 'Mine.', base });
    expect(refused.status).toBe(409);
    expect(refused.error).toMatchObject({
      code: 'CONFLICT',
      details: { current: { inboundPrompt: 'Theirs.' } },
    });
    expect(await textOf(id)).toBe('Theirs.');
    const again = await save(id, { inboundPrompt: 'Mine.', base: { inboundPrompt: 'Theirs.' } });
    expect(again.status).toBe(200);
    expect(await textOf(id)).toBe('Mine.');
  });

  it('overwrite as before where a client sends no base', async () => {
    const { id } = await newAgent();
    await save(id, { inboundPrompt: 'Theirs.' });
    expect((await save(id, { inboundPrompt: 'Mine.' })).status).toBe(200);
  });

  it('cannot both win by saving at once', async () => {
    const { id } = await newAgent();
    const base = { inboundPrompt: FIRST };
    const answers = await Promise.all(
      ['One.', 'Two.', 'Three.'].map((inboundPrompt) => save(id, { inboundPrompt, base })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('change different fields side by side', async () => {
    const { id } = await newAgent();
    const put = (body: Record<string, unknown>) =>
      callRoute(putSettings, { as: admin, params: { agentId: id }, body });
    expect((await put({ hints: 'one', base: { hints: null } })).status).toBe(200);
    expect((await put({ voiceId: 'en-slt', base: { voiceId: '' } })).status).toBe(200);
    expect((await put({ hints: 'two', base: { hints: '' } })).status).toBe(409);
    const typo = await put({ hints: 'two', base: { hint: '' } });
    expect(typo.status).toBe(400);
  });

  it('take a greeting that nobody wrote as empty or as it is shown', async () => {
    const { id } = await newAgent();
    const put = (inboundGreeting: string, base: unknown) =>
      callRoute(putSettings, { as: admin, params: { agentId: id }, body: { inboundGreeting, base } });
    const shown = (await runtime.agents.get(alpha, id)).inboundGreeting;
    expect((await put('Hello there.', { inboundGreeting: shown })).status).toBe(200);
    expect((await put('Good day.', { inboundGreeting: null })).status).toBe(409);
  });

  it('are told of lists, of the workspace and of the webhook as well', async () => {
    const { id } = await newAgent();
    const fields = [{ name: 'guests', type: 'number', question: 'How many?' }];
    const results = (base: unknown) =>
      callRoute(putFields, { as: admin, params: { agentId: id }, body: { fields, base } });
    expect((await results({ fields: [] })).status).toBe(200);
    expect((await results({ fields: [] })).status).toBe(409);
    const bases = await callRoute(putBases, {
      as: admin,
      params: { agentId: id },
      body: { knowledgeBaseIds: [], base: { knowledgeBaseIds: ['kb_gone'] } },
    });
    expect(bases.status).toBe(409);
    const hook = await callRoute(putWebhook, {
      as: admin,
      body: { url: null, base: { url: 'https://old.example.com/' } },
    });
    expect(hook.status).toBe(409);
    const name = (to: string, from: string) =>
      callRoute(patchWorkspace, { as: admin, body: { name: to, base: { name: from } } });
    const { name: before } = await runtime.workspaces.get(alpha);
    expect((await name('New', before)).status).toBe(200);
    expect((await name('Newer', before)).status).toBe(409);
  });
});

describe('a draft', () => {
  it('is not begun from a page that is older than what was published', async () => {
    const { id } = await newAgent();
    await save(id, { inboundPrompt: `${FIRST} We close at 5.` });
    const edit = (base: string) =>
      callRoute(editDraft, {
        as: admin,
        params: { agentId: id },
        body: { kind: 'inbound_prompt', body: { inboundPrompt: 'Mine.' }, base: { inboundPrompt: base } },
      });
    expect((await edit(FIRST)).status).toBe(409);
    expect((await edit(`${FIRST} We close at 5.`)).status).toBe(200);
    expect((await edit(`${FIRST} We close at 5.`)).status).toBe(409);
  });
});
