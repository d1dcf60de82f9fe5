/** @module-tag postgres */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GET as getFields, PUT as putFields } from '#app/api/agents/[agentId]/result-fields/route.ts';
import type { Actor } from '#lib/auth/actor.ts';
import {
  addKey,
  addSignedInMember,
  addWorkspace,
  callRoute,
  type SignedInMember,
} from '#lib/auth/testing.ts';
import { payloadOf } from '#lib/features/webhooks/rules.ts';
import { findCall } from '#lib/features/calls/repository.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { readResultFilter, type ResultField } from './rules.ts';

let runtime: TestRuntime;
let actor: Actor;
let member: SignedInMember;
let stranger: SignedInMember;

beforeAll(async () => {
  runtime = await startTestRuntime();
  actor = await addWorkspace(runtime, 'ws_results');
  await addWorkspace(runtime, 'ws_other_results');
  member = await addSignedInMember(runtime, 'ws_results', 'member');
  stranger = await addSignedInMember(runtime, 'ws_other_results', 'owner');
});
afterAll(() => runtime.close());

const NAME = { name: 'caller_name', type: 'text', question: "What is the caller's name?" } as const;
const GUESTS = { name: 'guests', type: 'number', question: 'How many guests are expected?' } as const;

async function addAgent(fields: readonly unknown[] = []): Promise<string> {
  const { id } = await runtime.agents.create(actor, { name: 'Front desk', inboundPrompt: 'You are Mia.' });
  if (fields.length > 0) expect((await put(id, fields)).status).toBe(200);
  return id;
}

const put = (agentId: string, fields: readonly unknown[], as = member) =>
  callRoute<{ fields: ResultField[]; former: unknown[] }>(putFields, {
    as,
    params: { agentId },
    body: { fields },
    headers: { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' },
  });
const get = (agentId: string, as = member) =>
  callRoute<{ fields: ResultField[]; former: unknown[] }>(getFields, { as, params: { agentId } });

/** A chat in which somebody writes this, until it has ended. */
async function chatted(agentId: string, texts: readonly string[]): Promise<string> {
  const { conversationId } = await runtime.chats.create(actor, agentId, {});
  for (const [index, text] of texts.entries()) {
    const events = await runtime.chats.send(actor, conversationId, { id: `message-${index}`, text });
    for await (const _ of events) continue;
  }
  await runtime.chats.end(actor, conversationId);
  await runtime.chats.settled();
  return conversationId;
}

describe('the fields of an agent', () => {
  it('are read and replaced, in their order, and noted in the audit log', async () => {
    const id = await addAgent([NAME, GUESTS]);
    const { data } = await get(id);
    expect(data).toEqual({
      fields: [
        { ...NAME, choices: [] },
        { ...GUESTS, choices: [] },
      ],
      former: [],
    });
    const { events } = await runtime.audit.list(actor, { limit: 5, targetId: id });
    expect(events[0]).toMatchObject({ action: 'agent.result_fields.updated' });
    expect(await runtime.agents.get(actor, id)).not.toHaveProperty('resultFields');
  });

  it('are read and replaced with a key as well, of its own workspace', async () => {
    const agentId = await addAgent([NAME]);
    await addKey(runtime, actor.workspaceId, 'cw_test_result_fields');
    const headers = { 'x-api-key': 'cw_test_result_fields' };
    const params = { agentId };
    const put = await callRoute<{ fields: ResultField[] }>(putFields, {
      headers,
      params,
      body: { fields: [GUESTS] },
    });
    expect(put.data.fields.map(({ name }) => name)).toEqual(['guests']);
    const read = await callRoute<{ fields: ResultField[] }>(getFields, { headers, params });
    expect(read.data).toEqual(put.data);
    const unknown = await callRoute(getFields, { headers, params: { agentId: 'agent_nobody' } });
    expect(unknown.status).toBe(404);
  });

  it.each([
    ['a name in capitals', [{ ...NAME, name: 'Caller' }]],
    ['a name twice', [NAME, NAME]],
    ['a choice of one', [{ ...NAME, type: 'choice', choices: ['a'] }]],
    ['the same choice twice', [{ ...NAME, type: 'choice', choices: ['Yes', 'yes'] }]],
    ['choices of a number', [{ ...GUESTS, choices: ['1', '2'] }]],
    ['no question', [{ ...NAME, question: ' ' }]],
    ['an unknown type', [{ ...NAME, type: 'money' }]],
    ['51 fields', Array.from({ length: 51 }, (_, index) => ({ ...NAME, name: `f_${index}` }))],
  ])('cannot have %s', async (_, fields) => {
    expect((await put(await addAgent(), fields)).status).toBe(400);
  });

  it('are another workspace’s secret, and a viewer’s to read', async () => {
    const id = await addAgent([NAME]);
    expect((await get(id, stranger)).status).toBe(403);
    expect((await put(id, [], stranger)).status).toBe(403);
    const viewer = await addSignedInMember(runtime, 'ws_results', 'viewer');
    expect([(await get(id, viewer)).status, (await put(id, [], viewer)).status]).toEqual([200, 403]);
  });

  it('are copied with the agent', async () => {
    const { id } = await runtime.agents.duplicate(actor, await addAgent([NAME]));
    expect((await get(id)).data.fields).toHaveLength(1);
  });
});

describe('what a conversation yields', () => {
  const TEXTS = ['Hello, my name is Anna Smith.', 'We look for a table for twelve guests.'];

  it('stands on its page with its words, in the API and in the webhook, by name', async () => {
    const id = await chatted(await addAgent([NAME, GUESTS]), TEXTS);
    const { results, turns } = await runtime.conversations.getCall(actor, id);
    expect(results).toMatchObject([
      { name: 'caller_name', value: 'Anna Smith', quotes: [{ speaker: 'human', text: TEXTS[0] }] },
      { name: 'guests', value: 12, quotes: [{ speaker: 'human', text: TEXTS[1] }] },
    ]);
    expect(turns.find(({ seq }) => seq === results?.[0]?.quotes[0]?.seq)?.text).toBe(TEXTS[0]);
    const shown = {
      caller_name: { type: 'text', value: 'Anna Smith', quotes: [{ speaker: 'human', text: TEXTS[0] }] },
      guests: { type: 'number', value: 12, quotes: [{ speaker: 'human', text: TEXTS[1] }] },
    };
    expect((await runtime.conversations.get(actor, id)).parse()?.results).toEqual(shown);
    expect(payloadOf(await findCall(runtime.db, actor.workspaceId, id), undefined).results).toEqual(shown);
  });

  it('is no key at all where the agent has no fields', async () => {
    const id = await chatted(await addAgent(), TEXTS);
    expect((await runtime.conversations.get(actor, id)).parse()).not.toHaveProperty('results');
    const call = await findCall(runtime.db, actor.workspaceId, id);
    expect(payloadOf(call, undefined)).not.toHaveProperty('results');
  });

  it('stays as it was when fields are renamed, get another type or go', async () => {
    const agentId = await addAgent([NAME, GUESTS]);
    const id = await chatted(agentId, TEXTS);
    const before = (await runtime.conversations.getCall(actor, id)).results;
    const { data } = await put(agentId, [{ ...GUESTS, type: 'text' }]);
    expect(data.former).toEqual([
      { name: 'caller_name', type: 'text' },
      { name: 'guests', type: 'number' },
    ]);
    expect((await runtime.conversations.getCall(actor, id)).results).toEqual(before);
    const listed = (result: string) =>
      runtime.conversations.listCalls(actor, { agentId, result, limit: 5, skip: 0 });
    expect((await listed('guests:number:equals:12')).calls.map((call) => call.id)).toEqual([id]);
    expect((await listed('guests:text:filled')).calls).toEqual([]);
  });

  it('has a column each in the export, in which nothing is a formula and numbers stay numbers', async () => {
    const agentId = await addAgent([NAME, GUESTS]);
    const id = await chatted(agentId, TEXTS);
    const results = [
      { ...NAME, value: '=HYPERLINK("https://evil.example")<script>', quotes: [] },
      { ...GUESTS, value: -3, quotes: [] },
    ];
    await runtime.db.execute(
      sql`update calls set results = ${JSON.stringify(results)}::jsonb where id = ${id}`,
    );
    const csv = await runtime.callExport.download(actor, { agentId }).text();
    const [header = '', line = ''] = csv.split('\r\n');
    expect(header.endsWith('notes,results.caller_name,results.guests')).toBe(true);
    expect(line.endsWith(`,"'=HYPERLINK(""https://evil.example"")<script>",-3`)).toBe(true);
  });
});

describe('a filter of results', () => {
  it.each([
    'guests:number:greater:',
    'guests:number:greater:many',
    'guests:number:empty:4',
    'paid:yes_no:greater:yes',
    'paid:yes_no:equals:maybe',
    'until:date:less:2026-02-30',
    'comment:text:greater:a',
    'comment:text:contains:',
    'guests:number:contains:4',
    'size:choice:contains:a',
    'comment:money:equals:a',
    'Comment:text:equals:a',
    'comment',
  ])('is not "%s"', (text) => {
    expect(readResultFilter(text)).toBeUndefined();
  });

  it('takes a text with colons and of any length', () => {
    expect(readResultFilter(`comment:text:equals: a:b${'x'.repeat(300)}`)).toMatchObject({ is: 'word' });
  });
});
