import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GET as listNumbers } from '#app/api/phone-numbers/route.ts';
import { POST as addNumber } from '#app/api/dashboard/numbers/route.ts';
import { DELETE as deleteAgent, GET as getAgent } from '#app/api/agents/[agentId]/route.ts';
import { GET as getChat, PUT as putChat } from '#app/api/agents/[agentId]/chat-prompt/route.ts';
import { PUT as putInbound } from '#app/api/agents/[agentId]/inbound-prompt/route.ts';
import { PUT as putSettings } from '#app/api/agents/[agentId]/settings/route.ts';
import { PATCH as patchAgent } from '#app/api/dashboard/agents/[agentId]/route.ts';
import { POST as duplicate } from '#app/api/dashboard/agents/[agentId]/duplicate/route.ts';
import { POST as derive } from '#app/api/dashboard/agents/[agentId]/derive-card/route.ts';
import { GET as list } from '#app/api/dashboard/agents/route.ts';
import { GET as listPage, POST as create } from '#app/api/agents/route.ts';
import { addSignedInMember, addWorkspace, callRoute, type SignedInMember } from '#lib/auth/testing.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { agentSchema, type AgentView } from './contract.ts';
import type { AgentListItem } from './dashboard/contract.ts';

let runtime: TestRuntime;
let alpha: Actor;
let headers: Record<string, string>;
let foreign: Record<string, string>;
let member: SignedInMember;
let viewer: SignedInMember;

beforeAll(async () => {
  runtime = await startTestRuntime();
  alpha = await addWorkspace(runtime, 'ws_alpha');
  const beta = await addWorkspace(runtime, 'ws_beta');
  headers = { 'x-api-key': (await runtime.keys.create(alpha, { name: 'test' })).key };
  foreign = { 'x-api-key': (await runtime.keys.create(beta, { name: 'test' })).key };
  member = await addSignedInMember(runtime, 'ws_alpha', 'member');
  viewer = await addSignedInMember(runtime, 'ws_alpha', 'viewer');
});
afterAll(() => runtime.close());

async function newAgent(fields: { inboundPrompt?: string; name?: string } = {}): Promise<AgentView> {
  return runtime.agents.create(alpha, { name: 'Front desk', ...fields });
}

const put = (handler: Parameters<typeof callRoute>[0], agentId: string, body: unknown, as = headers) =>
  callRoute<AgentView>(handler, { headers: as, params: { agentId }, body });

const PROMPT = `You are Nora, the receptionist at Northwind Dental. Your job is to book visits.
Greet callers with: "Northwind Dental, Nora speaking." Be calm.`;

describe('PUT inbound-prompt', () => {
  it('stores the prompt and answers with the card derived from it', async () => {
    const { id, updatedAt } = await newAgent();
    const answer = await put(putInbound, id, { inboundPrompt: PROMPT });
    expect(answer.status).toBe(200);
    expect(answer.message).toBe('Inbound prompt updated');
    expect(agentSchema.parse(answer.data)).toMatchObject({
      inboundPrompt: PROMPT,
      personaName: 'Nora',
      businessName: 'Northwind Dental',
      inboundGreeting: 'Northwind Dental, Nora speaking.',
      voiceScope: 'Your job is to book visits.',
      voiceTone: 'calm',
      voiceCardEdited: false,
    });
    expect(answer.data.updatedAt >= updatedAt).toBe(true);
    expect((await put(getAgent, id, undefined)).data).toEqual(answer.data);
  });

  it('leaves a card alone that was edited by hand, until it is derived again', async () => {
    const { id } = await newAgent({ inboundPrompt: PROMPT });
    const edited = await put(putSettings, id, { personaName: 'Zoe' });
    expect(edited.data).toMatchObject({
      personaName: 'Zoe',
      voiceCardEdited: true,
      businessName: 'Northwind Dental',
    });
    const kept = await put(putInbound, id, { inboundPrompt: 'You are Max from Kestrel Cycles.' });
    expect(kept.data).toMatchObject({
      personaName: 'Zoe',
      businessName: 'Northwind Dental',
      inboundPrompt: 'You are Max from Kestrel Cycles.',
    });
    const derived = await callRoute<AgentView>(derive, { as: member, params: { agentId: id } });
    expect(derived.data).toMatchObject({
      personaName: 'Max',
      businessName: 'Kestrel Cycles',
      voiceCardEdited: false,
    });
  });

  it('derives the whole card anew: what the new prompt does not say is gone', async () => {
    const { id } = await newAgent({ inboundPrompt: PROMPT });
    const { data } = await put(putInbound, id, { inboundPrompt: 'Take messages for everybody.' });
    expect(data).toMatchObject({ personaName: null, businessName: null, voiceTone: null });
    expect(data.inboundGreeting).toBe(
      'Hello, thank you for calling Workspace ws_alpha. How can I help you today?',
    );
  });

  it('an empty text clears prompt and card', async () => {
    const { id } = await newAgent({ inboundPrompt: PROMPT });
    expect((await put(putInbound, id, { inboundPrompt: ' ' })).data).toMatchObject({
      inboundPrompt: null,
      personaName: null,
      inboundGreeting: null,
    });
  });

  it.each([
    [{}, 'inboundPrompt: is required'],
    [{ inboundPrompt: null }, 'inboundPrompt: expected string'],
    [{ inboundPrompt: 'x'.repeat(100_001) }, 'inboundPrompt: must be at most 100,000 characters'],
    [{ inboundPrompt: 'Hi.\nAsk {{name' }, 'inboundPrompt: line 2, column 5: this {{ is not closed with }}'],
  ])('refuses %j', async (body, message) => {
    const { id } = await newAgent();
    const answer = await put(putInbound, id, body);
    expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } });
    expect(answer.error?.message).toContain(message);
  });
});

describe('PUT settings', () => {
  const FIELDS = {
    hasCallTransfer: true,
    hasEndCall: false,
    transferCallerId: 'human',
    hasAutoInboundTransfer: true,
    inboundTransferNumber: '+15550100009',
    isMultilingual: true,
    hasBargeIn: false,
    hasPostConversationWebhook: true,
    postConversationWebhookUrl: 'https://203.0.114.9/hook',
    hasHints: true,
    hints: 'Alpha, Beta',
    hasLanguage: true,
    language: 'de-DE',
    voiceId: 'no-such-voice',
    personaName: 'Mia',
    businessName: 'Alpha',
    inboundGreeting: 'Hello {{name}}',
    voiceScope: 'Booking.',
    voiceTone: 'warm',
    aiDisclosure: 'I am an AI.',
    inboundVoicePrompt: 'Opening: "Hi."',
    integrationIds: ['int_unknown'],
    disabledToolNames: ['end_call', 'no_such_tool'],
  } as const;

  it('stores every field and answers with the agent', { tags: ['postgres'] }, async () => {
    const { id } = await newAgent();
    const answer = await put(putSettings, id, FIELDS);
    expect(answer).toMatchObject({
      status: 200,
      message: 'Agent settings updated',
      data: { ...FIELDS, voiceCardEdited: true },
    });
    expect((await put(getAgent, id, undefined)).data).toMatchObject(FIELDS);
  });

  it.each([
    'inboundTransferNumber',
    'postConversationWebhookUrl',
    'hints',
    'language',
    'voiceId',
    'personaName',
    'businessName',
    'inboundGreeting',
    'voiceScope',
    'aiDisclosure',
    'inboundVoicePrompt',
  ] as const)('null and blank both clear %s', async (field) => {
    const { id } = await newAgent();
    for (const blank of [null, '', '  ']) {
      await put(putSettings, id, { [field]: FIELDS[field] });
      expect((await put(putSettings, id, { [field]: blank })).data[field]).toBeNull();
    }
  });

  it('changes only what is sent, and no card field leaves the card derived', async () => {
    const before = await newAgent({ inboundPrompt: PROMPT });
    const { data } = await put(putSettings, before.id, { hasHints: true, name: 'ignored' });
    expect(data).toEqual({ ...before, hasHints: true, updatedAt: data.updatedAt });
    expect((await put(putSettings, before.id, {})).status).toBe(200);
  });

  it.each([
    [{ personaName: 'x'.repeat(121) }, 'personaName: must be at most 120 characters'],
    [{ businessName: 'x'.repeat(121) }, 'businessName: must be at most 120'],
    [{ inboundGreeting: 'x'.repeat(601) }, 'inboundGreeting: must be at most 600'],
    [{ voiceScope: 'x'.repeat(1001) }, 'voiceScope: must be at most 1,000'],
    [{ aiDisclosure: 'x'.repeat(301) }, 'aiDisclosure: must be at most 300'],
    [{ inboundVoicePrompt: 'x'.repeat(20_001) }, 'inboundVoicePrompt: must be at most 20,000'],
    [
      { inboundGreeting: 'Hi {{n < ? "a" : "b"}}' },
      'inboundGreeting: line 1, column 10: expected a number after <',
    ],
    [{ voiceTone: 'angry' }, 'voiceTone:'],
    [{ transferCallerId: null }, 'transferCallerId:'],
    [{ hasEndCall: 'yes' }, 'hasEndCall: expected boolean'],
    [{ inboundSinglePrompt: 'text' }, 'inboundSinglePrompt: can only be null'],
    [{ inboundTransferNumber: 'the front desk' }, 'inboundTransferNumber: must be a phone number'],
    [{ language: 'en_US' }, 'language: must be a language code such as en-US'],
    [{ integrationIds: 'all' }, 'integrationIds: expected array'],
    [{ disabledToolNames: [''] }, 'disabledToolNames.0: must not be empty'],
    [{ postConversationWebhookUrl: 'https://127.0.0.1/x' }, 'postConversationWebhookUrl:'],
    [{ postConversationWebhookUrl: 'http://example.com/x' }, 'postConversationWebhookUrl:'],
    [{ postConversationWebhookUrl: 'ftp' }, 'postConversationWebhookUrl:'],
  ])('refuses %j', async (body, message) => {
    const before = await newAgent();
    const answer = await put(putSettings, before.id, body);
    expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR', statusCode: 400 } });
    expect(answer.error?.message).toContain(message);
    expect(await runtime.agents.get(alpha, before.id)).toEqual(before);
  });

  it('names every failing field', async () => {
    const { id } = await newAgent();
    const { error } = await put(putSettings, id, {
      hasEndCall: 1,
      voiceTone: 2,
      personaName: 'x'.repeat(121),
    });
    for (const field of ['hasEndCall: ', 'voiceTone: ', 'personaName: '])
      expect(error?.message).toContain(field);
  });
});

describe('chat prompt', () => {
  it('is read and written on its own', async () => {
    const { id } = await newAgent();
    expect((await put(getChat, id, undefined)).data).toEqual({ id, chatPrompt: null });
    const text = 'Chat {{with}} braces {{ left alone';
    expect(await put(putChat, id, { chatPrompt: text })).toMatchObject({
      status: 200,
      data: { id, chatPrompt: text },
      message: 'Chat prompt updated',
    });
    expect((await put(getChat, id, undefined)).data).toEqual({ id, chatPrompt: text });
    expect((await put(putChat, id, { chatPrompt: 'x'.repeat(100_000) })).status).toBe(200);
    expect((await put(putChat, id, { chatPrompt: 'x'.repeat(100_001) })).error?.message).toContain(
      'chatPrompt: must be at most 100,000 characters',
    );
    expect((await put(putChat, id, {})).error?.message).toContain('chatPrompt: is required');
  });
});

describe('who may', () => {
  it("another workspace's agent is 403, an unknown one 404, no key 401", async () => {
    const { id } = await newAgent();
    for (const [handler, body] of [
      [getAgent],
      [getChat],
      [putChat, { chatPrompt: 'x' }],
      [putInbound, { inboundPrompt: 'x' }],
      [putSettings, { hasHints: true }],
    ] as const) {
      expect((await put(handler, id, body, foreign)).status).toBe(403);
      expect(await put(handler, 'agent_none', body)).toMatchObject({
        status: 404,
        error: { message: 'Agent not found' },
      });
      expect((await put(handler, id, body, {})).status).toBe(401);
    }
    expect((await runtime.agents.get(alpha, id)).hasHints).toBe(false);
  });

  it('a viewer reads and does not write', async () => {
    const { id } = await newAgent();
    expect((await callRoute(getAgent, { as: viewer, params: { agentId: id } })).status).toBe(200);
    expect((await callRoute(putSettings, { as: viewer, params: { agentId: id }, body: {} })).status).toBe(
      403,
    );
    expect((await callRoute(create, { as: viewer, body: { name: 'x' } })).status).toBe(403);
  });
});

describe('the single prompt', () => {
  const SINGLE =
    '# Opening\nAhoy, Zoe here.\n\n# Voice\nYou are Zoe from Harbour Cafe.\n\n# Instructions\nTake table bookings.';

  async function withSingle(): Promise<string> {
    const { id } = await newAgent();
    const answer = await callRoute<AgentView>(patchAgent, {
      as: member,
      params: { agentId: id },
      body: { inboundSinglePrompt: SINGLE },
    });
    expect(answer.data).toMatchObject({
      inboundSinglePrompt: SINGLE,
      inboundPrompt: 'Take table bookings.',
      inboundVoicePrompt: 'Opening: "Ahoy, Zoe here."\n\nYou are Zoe from Harbour Cafe.',
      inboundGreeting: 'Ahoy, Zoe here.',
      personaName: 'Zoe',
      businessName: 'Harbour Cafe',
      voiceCardEdited: false,
    });
    return id;
  }

  it('renders prompt, voice prompt and opening while it is set, and writes to them say so', async () => {
    const id = await withSingle();
    for (const [handler, body, field] of [
      [putInbound, { inboundPrompt: 'x' }, 'inboundPrompt'],
      [putSettings, { inboundVoicePrompt: 'x' }, 'inboundVoicePrompt'],
    ] as const) {
      const { status, error } = await put(handler, id, body);
      expect({ status, code: error?.code }).toEqual({ status: 400, code: 'SINGLE_PROMPT_ACTIVE' });
      expect(error?.message).toContain(`${field}: `);
      expect(error?.message).toContain(`PUT /agents/${id}/settings {"inboundSinglePrompt": null}`);
    }
    expect((await put(putSettings, id, { hasHints: true })).status).toBe(200);
  });

  it('null over the API leaves the rendered texts as they are', async () => {
    const id = await withSingle();
    const { data } = await put(putSettings, id, { inboundSinglePrompt: null });
    expect(data).toMatchObject({
      inboundSinglePrompt: null,
      inboundPrompt: 'Take table bookings.',
      inboundVoicePrompt: 'Opening: "Ahoy, Zoe here."\n\nYou are Zoe from Harbour Cafe.',
    });
    expect((await put(putInbound, id, { inboundPrompt: 'You are Max.' })).data.inboundPrompt).toBe(
      'You are Max.',
    );
  });

  it('one request may clear it and write the voice prompt', async () => {
    const id = await withSingle();
    expect(
      (await put(putSettings, id, { inboundSinglePrompt: null, inboundVoicePrompt: 'Mine.' })).data
        .inboundVoicePrompt,
    ).toBe('Mine.');
  });

  it('with a section longer than its field is refused', async () => {
    const { id } = await newAgent();
    const answer = await callRoute(patchAgent, {
      as: member,
      params: { agentId: id },
      body: { inboundSinglePrompt: `# Opening\n${'x'.repeat(601)}` },
    });
    expect(answer).toMatchObject({
      status: 400,
      error: { message: 'inboundSinglePrompt: the Opening section must be at most 600 characters' },
    });
  });
});

describe('a field that a body does not know', () => {
  it('is named in the message, while the rest is written', async () => {
    const { id } = await newAgent();
    const answer = await put(putSettings, id, { hasHints: true, hasBargin: true, isActive: false });
    expect(answer).toMatchObject({
      status: 200,
      message: 'Agent settings updated. Unknown fields were ignored: hasBargin, isActive',
      data: { hasHints: true, isActive: true },
    });
  });

  it('makes no long answer, however many there are', async () => {
    const { id } = await newAgent();
    const names = Array.from({ length: 500 }, (_, place) => `${'x'.repeat(100)}${place}`);
    const answer = await put(putSettings, id, Object.fromEntries(names.map((name) => [name, 1])));
    expect(answer.message).toMatch(/ and 490 more$/);
    expect(answer.message?.length).toBeLessThan(800);
  });
});

describe('over the API', { tags: ['postgres'] }, () => {
  const asKey = (handler: Parameters<typeof callRoute>[0], call: Parameters<typeof callRoute>[1] = {}) =>
    callRoute<AgentView[]>(handler, { headers, ...call });

  it('agents are created and listed in pages, the oldest first, each workspace its own', async () => {
    const made = await callRoute<AgentView>(create, {
      headers: foreign,
      body: { name: 'First', inboundPrompt: PROMPT },
    });
    expect(made).toMatchObject({ status: 201, message: 'Agent created', data: { personaName: 'Nora' } });
    await callRoute(create, { headers: foreign, body: { name: 'Second' } });
    const page = (query: Record<string, string>) => asKey(listPage, { headers: foreign, query });
    expect((await page({})).data[0]).toEqual(made.data);
    expect((await page({ limit: '1', skip: '1' })).data.map((agent) => agent.name)).toEqual(['Second']);
    expect((await page({ skip: '2' })).data).toEqual([]);
    expect((await page({ limit: '101' })).status).toBe(400);
    expect((await asKey(create, { body: { description: 'nameless' } })).error.message).toContain('name: ');
    expect((await asKey(listPage)).data.map((agent) => agent.id)).not.toContain(made.data.id);
  });

  it('numbers are listed with the agent that each belongs to', async () => {
    const { id } = await newAgent();
    const number = await runtime.numbers.create(alpha, { number: '+15550107301', agentId: id });
    const { data } = await asKey(listNumbers);
    expect(data).toContainEqual({
      id: number.id,
      number: '+15550107301',
      agentId: id,
      carrier: 'simulated',
    });
    expect((await runtime.agents.listPage(alpha, { limit: 100, skip: 0 })).at(-1)).toMatchObject({
      id,
      phoneNumberId: number.id,
    });
  });

  it('a deleted agent is gone from everything, and its conversations keep its name', async () => {
    const { id } = await newAgent({ name: 'Leaver', inboundPrompt: PROMPT });
    const prompt = await runtime.prompts.create(alpha, id, { title: 'Call', instructions: 'Call {{name}}.' });
    const number = await runtime.numbers.create(alpha, { number: '+15550107302', agentId: id });
    const base = await runtime.knowledge.bases.create(alpha, { name: 'Facts', description: '' });
    await runtime.knowledge.bases.setOfAgent(alpha, id, [base.id]);
    const { conversationId } = await runtime.calls.queueOutbound(alpha, {
      from: '+15550107302',
      to: parsePhoneNumber('+15550109900'),
    });

    const params = { agentId: id };
    expect((await callRoute(deleteAgent, { headers: foreign, params })).status).toBe(403);
    expect((await callRoute(deleteAgent, { as: member, params })).status).toBe(403);
    expect(await asKey(deleteAgent, { params })).toMatchObject({
      status: 200,
      data: null,
      message: 'Agent deleted',
    });

    for (const handler of [getAgent, getChat, deleteAgent])
      expect((await asKey(handler, { params })).status).toBe(404);
    expect((await put(putSettings, id, { hasHints: true })).status).toBe(404);
    expect((await runtime.agents.list(alpha, {})).map((agent) => agent.id)).not.toContain(id);
    expect(
      (await runtime.agents.listPage(alpha, { limit: 100, skip: 0 })).map((agent) => agent.id),
    ).not.toContain(id);
    await expect(runtime.prompts.get(alpha, { agentId: id, promptId: prompt.id })).rejects.toThrow(
      'not found',
    );
    await expect(runtime.numbers.update(alpha, number.id, { agentId: id })).rejects.toThrow(
      'Agent not found',
    );
    await expect(runtime.knowledge.bases.setAgents(alpha, base.id, [id])).rejects.toThrow('Agent not found');
    expect(
      (await runtime.knowledge.bases.overview(alpha, base.id)).agents.map((agent) => agent.id),
    ).not.toContain(id);
    expect((await runtime.numbers.list(alpha)).find((each) => each.id === number.id)?.agent).toBeNull();
    expect(await runtime.conversations.getCall(alpha, conversationId)).toMatchObject({
      agentId: id,
      agentName: 'Leaver',
      status: 'queued',
    });
  });
});

describe('in the dashboard', { tags: ['postgres'] }, () => {
  it('agents are created, renamed, switched off, searched and copied', async () => {
    const made = await callRoute<AgentView>(create, {
      as: member,
      body: { name: 'Search 100% me', inboundPrompt: PROMPT },
    });
    expect(made).toMatchObject({
      status: 201,
      data: { personaName: 'Nora', isActive: true, hasEndCall: true },
    });
    const { id } = made.data;
    await runtime.prompts.create(alpha, id, { title: 'First', instructions: 'Call {{name}}.' });
    await runtime.prompts.create(alpha, id, { title: 'Second', instructions: 'Call {{name}} again.' });
    const { data: number } = await callRoute<{ id: string }>(addNumber, {
      as: await addSignedInMember(runtime, 'ws_alpha', 'admin'),
      body: { agentId: id },
    });
    expect((await runtime.agents.get(alpha, id)).phoneNumberId).toBe(number.id);

    const patched = await callRoute<AgentView>(patchAgent, {
      as: member,
      params: { agentId: id },
      body: { name: 'Renamed 100%', description: 'Night', isActive: false },
    });
    expect(patched.data).toMatchObject({
      name: 'Renamed 100%',
      description: 'Night',
      isActive: false,
      personaName: 'Nora',
    });

    const found = async (query: string) =>
      (
        await callRoute<AgentListItem[]>(list, {
          as: viewer,
          query: Object.fromEntries(new URLSearchParams(query)),
        })
      ).data.map((agent) => agent.name);
    expect(await found('search=100%25')).toEqual(['Renamed 100%']);
    expect(await found('search=0_%25')).toEqual([]);
    expect(await found('active=true')).not.toContain('Renamed 100%');
    expect(await found('active=false&search=NIGHT')).toEqual(['Renamed 100%']);

    const copy = await callRoute<AgentView>(duplicate, { as: member, params: { agentId: id } });
    expect(copy).toMatchObject({
      status: 201,
      data: { name: 'Copy of Renamed 100%', inboundPrompt: PROMPT, phoneNumberId: null, isActive: false },
    });
    expect((await runtime.prompts.list(alpha, copy.data.id)).map((prompt) => prompt.title)).toEqual([
      'First',
      'Second',
    ]);
  });

  it('every write leaves an entry in the audit log, without the texts', async () => {
    const { id } = await newAgent();
    await put(putInbound, id, { inboundPrompt: PROMPT });
    await put(putSettings, id, { hasHints: true });
    const { events } = await runtime.audit.list(alpha, { limit: 10, targetId: id });
    expect(events.map((event) => event.action)).toEqual([
      'agent.settings.updated',
      'agent.inbound_prompt.updated',
      'agent.created',
    ]);
    expect(JSON.stringify(events)).not.toContain('Nora');
  });
});
