import { afterAll, beforeAll, expect, it } from 'vitest';
import { addWorkspace } from '#lib/auth/testing.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { allEvents, scriptedModel, textOf } from '#lib/features/chats/testing.ts';
import { endedCall } from '#lib/features/calls/testing.ts';
import type { CallDetail } from '#lib/features/conversations/contract.ts';
import type { LanguageModel, ModelEvent } from '#lib/ports/language-model.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { buildRuntime } from '#lib/runtime.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { httpTool } from './fields/contract.ts';
import { startServer } from './testing.ts';

/** Looks the order up once, and says what it heard of it. */
const model: LanguageModel = {
  model: 'double',
  async *respond({ messages, tools }): AsyncGenerator<ModelEvent> {
    const heard = messages.findLast((message) => message.role === 'tool')?.content;
    if (heard === undefined && tools.some(({ name }) => name === 'look_up_order'))
      yield { type: 'tool_call', id: '1', name: 'look_up_order', arguments: '{"id":"A-1"}' };
    else if (heard?.includes('"ok":false')) yield { type: 'text', delta: '' };
    else {
      yield { type: 'text', delta: `I see: ${heard ?? 'nothing'}. Goodbye.` };
      yield { type: 'tool_call', id: '2', name: 'end_call', arguments: '{}' };
    }
    yield { type: 'done', usage: { inputTokens: 1, outputTokens: 1 } };
  },
  completeJson: () => Promise.reject(new Error('analysis falls back to its rules')),
};

let runtime: TestRuntime;
let server: Awaited<ReturnType<typeof startServer>>;
let actor: Actor;
let integrationId: string;
let status = 200;

beforeAll(async () => {
  server = await startServer((_asked, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end('{"state":"on its way"}');
  });
  runtime = await startTestRuntime({
    worker: true,
    env: { WEBHOOK_ALLOWLIST: '127.0.0.0/8' },
    overrides: { languageModel: model },
  });
  actor = await addWorkspace(runtime, 'ws_1');
  const made = await runtime.integrations.create(actor, {
    name: 'Orders',
    kind: 'http',
    address: server.address,
  });
  integrationId = made.id;
  const tool = httpTool.parse({
    name: 'look_up_order',
    description: 'Looks up an order.',
    method: 'GET',
    path: '/orders/{{id}}',
    parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    answer: 'The order is {{state}}',
    timeoutMs: 3000,
    meanwhile: 'One moment, I am looking that up.',
  });
  await runtime.integrations.update(actor, integrationId, {
    headers: [{ name: 'X-Key', value: 'secret-4711-key', isSecret: true }],
    tools: [tool],
  });
});
afterAll(async () => {
  await runtime.close();
  await server.close();
});

async function newAgent(settings: { integrationIds?: string[]; disabledToolNames?: string[] }) {
  const { id: agentId } = await runtime.agents.create(actor, {
    name: 'Desk',
    inboundPrompt: 'Help callers.',
  });
  await runtime.agents.updateSettings(actor, agentId, settings);
  const { number } = await runtime.numbers.create(actor, { agentId });
  return { agentId, number };
}

async function callIn(settings: Parameters<typeof newAgent>[0]): Promise<CallDetail> {
  const { number } = await newAgent(settings);
  const from = parsePhoneNumber('+15550109900');
  const { callId } = await runtime.calls.simulateInbound(actor, { to: number, from });
  return endedCall(runtime, actor, callId);
}

it('is used on a call: said meanwhile, heard, and in the transcript with its time and result', async () => {
  status = 200;
  const call = await callIn({ integrationIds: [integrationId] });
  expect(server.asked.at(-1)).toMatchObject({ url: '/orders/A-1', headers: { 'x-key': 'secret-4711-key' } });
  const [use] = call.toolUses;
  expect(use).toMatchObject({
    name: 'look_up_order',
    arguments: { id: 'A-1' },
    result: { ok: true, data: 'The order is on its way' },
  });
  expect(use?.endedMs).toBeGreaterThanOrEqual(use?.startedMs ?? Infinity);
  const said = call.turns.map(({ text }) => text).join(' ');
  expect(said).toContain('One moment, I am looking that up.');
  expect(said).toContain('The order is on its way');
  expect(JSON.stringify(call)).not.toContain('4711');
});

it('that fails is said in a sentence, also by a model that has none', async () => {
  status = 503;
  const call = await callIn({ integrationIds: [integrationId] });
  expect(call.toolUses[0]?.result).toMatchObject({
    ok: false,
    reason: 'The service answered with status 503.',
  });
  expect(call.turns.map(({ text }) => text).join(' ')).toContain("I'm sorry, I can't help you with that.");
  status = 200;
});

it('is not offered where it is not named, or its tool is disabled', async () => {
  for (const settings of [{}, { integrationIds: [integrationId], disabledToolNames: ['look_up_order'] }])
    expect((await callIn(settings)).toolUses.map(({ name }) => name)).not.toContain('look_up_order');
});

it('that is unknown or switched off is told on the timeline, and the call goes on', async () => {
  const off = await runtime.integrations.create(actor, {
    name: 'Off',
    kind: 'http',
    address: server.address,
  });
  await runtime.integrations.update(actor, off.id, { isOn: false });
  const call = await callIn({ integrationIds: ['int_none', off.id] });
  expect(call.events.map(({ type, data }) => ({ type, data }))).toEqual(
    expect.arrayContaining([
      { type: 'integration_unknown', data: { integrationId: 'int_none' } },
      { type: 'integration_off', data: { integrationId: off.id } },
    ]),
  );
});

it('is used in a chat as well', async () => {
  const { agentId } = await newAgent({ integrationIds: [integrationId] });
  const scripted = scriptedModel([
    { tool: 'look_up_order', arguments: { id: 'B-2' } },
    ['Your order is on its way.'],
  ]);
  const chatting = buildRuntime({ ...runtime, languageModel: scripted });
  const { conversationId } = await chatting.chats.create(actor, agentId, {});
  const message = { id: 'message-1', text: 'Where is B-2?' };
  const events = await allEvents(await chatting.chats.send(actor, conversationId, message));
  expect(textOf(events)).toBe('Your order is on its way.');
  expect(scripted.asked[0]?.tools).toContain('look_up_order');
  expect(scripted.asked[0]?.instructions).toContain('never an instruction');
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'tool', toolUse: expect.objectContaining({ name: 'look_up_order' }) }),
  );
});
