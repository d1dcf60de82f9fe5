import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addKey, addSignedInMember } from '#lib/auth/testing.ts';
import { endedCall, type SeededLine, seedLine, setSummary } from '#lib/features/calls/testing.ts';
import { LONG_TEXT_BYTES } from '#lib/http/operation.ts';
import { boundedJson, MAX_ANSWER_CHARACTERS } from '#lib/http/mcp/bounded.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { startTestServer } from '#server/testing.ts';
import { POST } from './route.ts';

// A loaded machine speaks slowly.
vi.setConfig({ testTimeout: 90_000 });

const KEY = 'cw_test_mcp';
const OTHERS_KEY = 'cw_test_mcp_other';
const BEARER_KEY = 'cw_test_mcp_bearer';
const HURRIED_KEY = 'cw_test_mcp_hurried';
const ALEX = '+15550109901';

let runtime: TestRuntime;
let line: SeededLine;
let server: Awaited<ReturnType<typeof startTestServer>>;
let address: URL;
const open: Client[] = [];

beforeAll(async () => {
  runtime = await startTestRuntime({ worker: true, env: { RATE_LIMIT_PER_SECOND: '20' } });
  line = await seedLine(runtime.db, 'mcp', { workspace: { webhookUrl: null } });
  await seedLine(runtime.db, 'other');
  await addKey(runtime, 'ws_mcp', KEY);
  await addKey(runtime, 'ws_mcp', BEARER_KEY);
  await addKey(runtime, 'ws_mcp', HURRIED_KEY);
  await addKey(runtime, 'ws_other', OTHERS_KEY);
  server = await startTestServer(runtime, { 'POST /mcp': POST });
  address = new URL(`${server.url}/api/mcp`);
});
afterAll(async () => {
  await Promise.all(open.map((client) => client.close()));
  await server.close();
  await runtime.close();
});

type Headers = Record<string, string>;
const withKey = (key: string): Headers => ({ 'x-api-key': key });

async function connect(headers: Headers, mode: 'auto' | 'legacy' = 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));
  open.push(client);
  return client;
}

type Used = { isError: boolean; text: string; data: never };
async function use(client: Client, name: string, given: Record<string, unknown> = {}): Promise<Used> {
  const { content, isError = false } = await client.callTool({ name, arguments: given });
  const [part] = content;
  const text = part?.type === 'text' ? part.text : '';
  const answer = JSON.parse(text) as { data: never };
  return { isError, text, data: answer.data };
}

const post = (body: string, headers: Headers = {}) =>
  fetch(address, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  });
const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

describe.each([
  ['of today', 'auto', withKey(KEY)],
  ['of the generation with sessions', 'legacy', { authorization: `Bearer ${BEARER_KEY}` }],
] as const)('a client %s', (_name, mode, headers) => {
  it('sees tools made from the operations, with what they take and whether they change anything', async () => {
    const { tools } = await (await connect(headers, mode)).listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'list_agents',
      'get_agent',
      'list_outbound_prompts',
      'list_phone_numbers',
      'queue_outbound_call',
      'list_conversations',
      'get_conversation',
      'list_system_tags',
      'list_opt_outs',
      'add_opt_out',
    ]);
    const tool = (wanted: string) => tools.find(({ name }) => name === wanted);
    expect(tool('list_conversations')).toMatchObject({
      annotations: { readOnlyHint: true },
      inputSchema: {
        properties: {
          limit: { type: 'integer', maximum: 100 },
          direction: { enum: ['INBOUND', 'OUTBOUND'] },
        },
      },
    });
    expect(tool('queue_outbound_call')).toMatchObject({
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
      inputSchema: {
        required: ['from', 'to'],
        properties: {
          from: { type: 'string' },
          variables: { type: 'object' },
          'idempotency-key': { type: 'string' },
        },
        additionalProperties: false,
      },
    });
  });

  it('places a call to a simulated person and reads what was said', async () => {
    const client = await connect(headers, mode);
    const { data: numbers } = await use(client, 'list_phone_numbers');
    expect(numbers).toMatchObject([{ number: line.number, agentId: 'agent_mcp' }]);
    expect((await use(client, 'list_outbound_prompts', { agentId: 'agent_mcp' })).data).toMatchObject([
      { title: 'Reminder' },
    ]);
    const given = {
      from: line.number,
      to: ALEX,
      variables: { name: 'Alex' },
      'idempotency-key': `by ${mode}`,
    };
    const { data: call }: { data: { conversationId: string } } = await use(
      client,
      'queue_outbound_call',
      given,
    );
    const again: Used = await use(client, 'queue_outbound_call', given);
    expect(again.data).toMatchObject({ conversationId: call.conversationId });
    await endedCall(runtime, line.actor, call.conversationId);
    const { data: read } = await use(client, 'get_conversation', { id: call.conversationId });
    expect(read).toMatchObject({
      tags: ['appointment_booked'],
      transcript: expect.stringContaining('Hello Alex, this is the dentist.'),
    });
    const { data: listed } = await use(client, 'list_conversations', { limit: 1, direction: 'OUTBOUND' });
    expect(listed).toMatchObject([{ id: call.conversationId }]);
  });
});

it('a key of another workspace sees nothing of it and calls from none of its numbers', async () => {
  const client = await connect(withKey(OTHERS_KEY));
  const call = { from: line.number, to: ALEX };
  expect((await use(client, 'queue_outbound_call', call)).text).toContain('"code":"NOT_FOUND"');
  expect(await use(client, 'list_conversations')).toMatchObject({ isError: false, data: [] });
  expect((await use(client, 'get_agent', { agentId: 'agent_mcp' })).text).toContain('"code":"FORBIDDEN"');
});

it('what an operation refuses is an error of the tool with its words', async () => {
  const client = await connect(withKey(KEY));
  const refusal = async (name: string, given: Record<string, unknown>) => {
    const { isError, text } = await use(client, name, given);
    return [isError, JSON.parse(text)] as const;
  };
  expect(await refusal('queue_outbound_call', { from: 'me', to: ALEX })).toMatchObject([
    true,
    { code: 'VALIDATION_ERROR', message: 'from: must be a phone number like +15550100001' },
  ]);
  expect(await refusal('list_conversations', { limit: 1000 })).toMatchObject([
    true,
    { message: 'limit: must be at most 100' },
  ]);
  expect(await refusal('list_agents', { workspaceId: 'ws_other' })).toMatchObject([
    true,
    { message: 'workspaceId: is not a known argument' },
  ]);
  expect(await refusal('get_agent', { agentId: '../../ws_other?x=%00' })).toMatchObject([
    true,
    { statusCode: 404 },
  ]);
  expect(
    await refusal('queue_outbound_call', { from: line.number, to: ALEX, 'idempotency-key': 'a\r\nb' }),
  ).toMatchObject([true, { message: 'idempotency-key: must be plain ASCII text' }]);
  await expect(client.callTool({ name: 'delete_agent', arguments: {} })).rejects.toThrow(
    /no tool delete_agent/,
  );
});

it('who only looks is offered no tool that changes something, and is refused one', async () => {
  const { cookie } = await addSignedInMember(runtime, 'ws_mcp', 'viewer');
  const headers = { cookie, 'x-workspace-id': 'ws_mcp', origin: 'http://localhost:3000' };
  const client = await connect(headers);
  const { tools } = await client.listTools();
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
  const { isError, text } = await use(client, 'add_opt_out', { number: '+15550109940' });
  expect({ isError, text }).toMatchObject({
    isError: true,
    text: expect.stringContaining('"code":"FORBIDDEN"'),
  });
});

it('without a key that is known the answer is 401 in the form of the API', async () => {
  for (const headers of [{}, withKey('cw_nobody'), { authorization: 'Bearer cw_nobody' }]) {
    const response = await post(LIST, headers as Headers);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await response.json()).toMatchObject({ error: { code: 'UNAUTHORIZED', statusCode: 401 } });
  }
});

it('a body that is too large, a batch and other methods are refused', async () => {
  const large = await post(`"${'x'.repeat(LONG_TEXT_BYTES)}"`, withKey(KEY));
  expect([large.status, await large.json()]).toMatchObject([400, { error: { code: 'PAYLOAD_TOO_LARGE' } }]);
  const batch = await post(`[${LIST},${LIST}]`, withKey(KEY));
  expect([batch.status, await batch.json()]).toMatchObject([400, { error: { code: 'VALIDATION_ERROR' } }]);
  for (const method of ['GET', 'DELETE']) {
    const response = await fetch(address, { method, headers: withKey(KEY) });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  }
});

it('who asks too fast is told to wait', async () => {
  const answers = await Promise.all(
    Array.from({ length: 120 }, () =>
      post(
        JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'list_agents', arguments: {} },
        }),
        withKey(HURRIED_KEY),
      ),
    ),
  );
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
});

it('an answer is bounded, and says what was left out', async () => {
  const client = await connect(withKey(KEY));
  const { data }: { data: { id: string }[] } = await use(client, 'list_conversations', { limit: 1 });
  const [last = { id: '' }] = data;
  await setSummary(runtime.db, last.id, 'word '.repeat(20_000));
  const { text } = await use(client, 'get_conversation', { id: last.id });
  expect(text.length).toBeLessThan(MAX_ANSWER_CHARACTERS);
  expect(text).toContain('characters left out');
  const many = boundedJson({ data: Array.from({ length: 9000 }, (_, id) => ({ id, name: 'x' })) });
  expect(many.length).toBeLessThanOrEqual(MAX_ANSWER_CHARACTERS);
  expect(many).toContain('Ask for fewer items');
});
