import { execFile, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GET as listAgents } from '#app/api/agents/route.ts';
import { POST as createChat } from '#app/api/agents/[agentId]/chats/route.ts';
import { POST as sendChatMessage } from '#app/api/chats/[chatId]/messages/route.ts';
import { GET as getConversation } from '#app/api/conversation/[id]/route.ts';
import { GET as listConversations } from '#app/api/conversations/route.ts';
import { GET as listOptOuts, POST as addOptOut } from '#app/api/opt-outs/route.ts';
import { POST as queueOutboundCall } from '#app/api/outbound/route.ts';
import { POST as sendVisitorMessage } from '#app/api/widget/[widgetId]/messages/route.ts';
import { workspaces } from '#db/schema/workspaces.ts';
import { addKey } from '#lib/auth/testing.ts';
import { type SeededLine, seedLine } from '#lib/features/calls/testing.ts';
import { addEndedCall } from '#lib/features/webhooks/testing.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { startTestServer } from './testing.ts';
import {
  Callwright,
  CallwrightError,
  everyItem,
  everyPage,
  isSignedWebhook,
  readWebhook,
} from '../clients/typescript/src/index.ts';

const KEY = 'cw_test_client';
const SECRET = 'whsec_of_the_client_test';
const ALEX = '+15550109901';

let runtime: TestRuntime;
let line: SeededLine;
let server: Awaited<ReturnType<typeof startTestServer>>;
let callwright: Callwright;

beforeAll(async () => {
  runtime = await startTestRuntime({ worker: true, env: { WEBHOOK_ALLOWLIST: '127.0.0.0/8' } });
  line = await seedLine(runtime.db, 'client', { workspace: { webhookUrl: null, webhookSecret: SECRET } });
  await addKey(runtime, 'ws_client', KEY);
  server = await startTestServer(runtime, {
    'GET /agents': listAgents,
    'GET /conversation/{id}': getConversation,
    'GET /conversations': listConversations,
    'GET /opt-outs': listOptOuts,
    'POST /opt-outs': addOptOut,
    'POST /agents/{agentId}/chats': createChat,
    'POST /chats/{chatId}/messages': sendChatMessage,
    'POST /outbound': queueOutboundCall,
    'POST /widget/{widgetId}/messages': sendVisitorMessage,
  });
  callwright = new Callwright({ url: `${server.url}/`, apiKey: KEY });
});
afterAll(async () => {
  await server.close();
  await runtime.close();
});

const example = (name: string) =>
  new URL(`../clients/typescript/examples/${name}.ts`, import.meta.url).pathname;
const environment = (given: Record<string, string>) =>
  ({ PATH: process.env.PATH, ...given }) as unknown as NodeJS.ProcessEnv;

describe('the examples', () => {
  it('place a call to a simulated person, print what was said, and receive its signed webhook', async () => {
    const receiver = spawn(process.execPath, [example('receive-webhooks')], {
      env: environment({ WEBHOOK_SECRET: SECRET, PORT: '0' }),
    });
    try {
      const lines = createInterface(receiver.stdout);
      const [listening] = (await once(lines, 'line')) as [string];
      const webhookUrl = `http://127.0.0.1:${/\d+/.exec(listening)?.[0]}/hook`;
      await runtime.db.update(workspaces).set({ webhookUrl }).where(eq(workspaces.id, 'ws_client'));
      const received = once(lines, 'line') as Promise<[string]>;
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [example('place-a-call'), line.number, ALEX],
        { env: environment({ CALLWRIGHT_URL: server.url, CALLWRIGHT_API_KEY: KEY }) },
      );
      expect(stdout).toContain('Hello Alex, this is the dentist.');
      expect(stdout).toContain('appointment_booked');
      const [id = ''] = stdout.split(' ');
      const [told] = await received;
      expect(told).toContain(`${id}: APPOINTMENT_BOOKED`);
      expect((await fetch(webhookUrl, { method: 'POST', body: '{}' })).status).toBe(401);
    } finally {
      receiver.kill();
    }
  });

  it('say what the service says where it refuses', async () => {
    const run = promisify(execFile)(process.execPath, [example('place-a-call'), '+15550100000', ALEX], {
      env: environment({ CALLWRIGHT_URL: server.url, CALLWRIGHT_API_KEY: KEY }),
    });
    await expect(run).rejects.toMatchObject({ stderr: 'NOT_FOUND: Phone number not found\n' });
  });
});

describe('a failure', () => {
  it('is a CallwrightError with code, message, status, details and the id of the request', async () => {
    const failure = await callwright
      .queueOutboundCall({ body: { from: 'nobody', to: ALEX } })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CallwrightError);
    expect(failure).toMatchObject({
      code: 'VALIDATION_ERROR',
      statusCode: 400,
      message: expect.stringContaining('from: '),
      details: { problems: [{ field: 'from' }] },
      requestId: expect.stringMatching(/^req_/),
    });
    const stranger = new Callwright({ url: server.url, apiKey: 'cw_nobody' });
    await expect(stranger.listAgents()).rejects.toMatchObject({ code: 'UNAUTHORIZED', statusCode: 401 });
  });

  it('of something else than the service has a status and no code, and of the connection is that of fetch', async () => {
    const answering = (response: Response) =>
      new Callwright({ url: server.url, apiKey: KEY, fetch: () => Promise.resolve(response) });
    const proxy = answering(new Response('<html>', { status: 503, headers: { 'retry-after': '7' } }));
    const failure = await proxy.listAgents().catch((error: unknown) => error);
    expect(failure).toMatchObject({ statusCode: 503, code: undefined, retryAfterSeconds: 7 });
    const gone = new Callwright({ url: 'http://127.0.0.1:1', apiKey: KEY });
    await expect(gone.listAgents()).rejects.toBeInstanceOf(TypeError);
  });
});

describe('the answer to a chat message', () => {
  /** What is sent, counted: nothing is sent twice. */
  function counting(url: string) {
    const asked: string[] = [];
    const client = new Callwright({
      url,
      apiKey: KEY,
      fetch: (request, init) => {
        asked.push((request as Request).url.slice(url.length));
        return fetch(request, init);
      },
    });
    return { client, asked };
  }
  const body = { id: 'message-1', text: 'When are you open?' };

  it('comes event by event', async () => {
    const { client, asked } = counting(server.url);
    const { data: chat } = await client.createChat({ path: { agentId: line.agentId }, body: {} });
    const path = { chatId: chat.conversationId };
    const { stream } = await client.sendChatMessage({ path, body });
    const types: string[] = [];
    for await (const event of stream) types.push(event.type);
    expect(types).toEqual(expect.arrayContaining(['message', 'text', 'answer']));
    expect(types.at(-1)).toBe('answer');
    expect(asked).toEqual([
      `/api/agents/${line.agentId}/chats`,
      `/api/chats/${chat.conversationId}/messages`,
    ]);
  });

  it.each([
    ['an unknown chat', { path: { chatId: 'cnv_nobody' }, body }, { statusCode: 404, code: 'NOT_FOUND' }],
    [
      'no text',
      { path: { chatId: 'c' }, body: { ...body, text: '' } },
      { statusCode: 400, code: 'VALIDATION_ERROR' },
    ],
  ])('rejects once for %s', async (_, request, failure) => {
    const { client, asked } = counting(server.url);
    const refused = await client.sendChatMessage(request).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(CallwrightError);
    expect(refused).toMatchObject(failure);
    expect(asked).toHaveLength(1);
  });

  it('rejects once for a visitor of a widget that is not there', async () => {
    const { client, asked } = counting(server.url);
    const path = { widgetId: 'wgt_nobody' };
    await expect(client.sendVisitorMessage({ path, body })).rejects.toBeInstanceOf(CallwrightError);
    expect(asked).toHaveLength(1);
  });

  describe('of a service that', () => {
    /** Writes these bytes of the stream, and then nothing more. */
    async function stalling(written: string) {
      const open = new Set<ServerResponse>();
      const stalled = createServer((_, response) => {
        open.add(response.writeHead(200, { 'content-type': 'text/event-stream' }));
        response.write(written);
      });
      await once(stalled.listen(0, '127.0.0.1'), 'listening');
      const { port } = stalled.address() as AddressInfo;
      return { ...counting(`http://127.0.0.1:${port}`), open, [Symbol.dispose]: () => stalled.close() };
    }
    const first = 'data: {"type":"text",\r\ndata: "text":"We"}\r\n\r\n: still there\n\n';
    const path = { chatId: 'c' };

    it('hangs rejects with the reason of the signal', async () => {
      using service = await stalling(first);
      const abort = new AbortController();
      const { stream } = await service.client.sendChatMessage({ path, body, signal: abort.signal });
      expect((await stream.next()).value).toEqual({ type: 'text', text: 'We' });
      abort.abort(new Error('the caller gave up'));
      await expect(stream.next()).rejects.toThrow('the caller gave up');
      const late = service.client.sendChatMessage({ path, body, signal: abort.signal });
      await expect(late).rejects.toThrow('the caller gave up');
      expect(service.asked).toHaveLength(2);
    });

    it('breaks off rejects, and is not asked again', async () => {
      using service = await stalling(first);
      const { stream } = await service.client.sendChatMessage({ path, body });
      await stream.next();
      for (const response of service.open) response.destroy();
      await expect(stream.next()).rejects.toBeInstanceOf(TypeError);
      expect(service.asked).toHaveLength(1);
    });
  });
});

it('an idempotency key that is sent again calls nobody again', async () => {
  const given = { body: { from: line.number, to: ALEX }, headers: { 'idempotency-key': 'order-17' } };
  const first = await callwright.queueOutboundCall(given);
  const second = await callwright.queueOutboundCall(given);
  expect(second.data.conversationId).toBe(first.data.conversationId);
  await expect(
    callwright.queueOutboundCall({ ...given, body: { from: line.number, to: '+15550109902' } }),
  ).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
});

it('waiting for the end of a conversation ends where the caller says so', async () => {
  const signal = AbortSignal.timeout(30);
  await expect(callwright.conversationEnded('cnv_nobody', { signal, everyMs: 5 })).rejects.toThrow(/timeout/);
});

it('lists are walked page by page, by cursor and by the last item', async () => {
  for (const number of ['+15550109930', '+15550109931', '+15550109932'])
    await callwright.addOptOut({ body: { number } });
  const numbers: string[] = [];
  for await (const { optOuts } of everyPage((cursor) =>
    callwright.listOptOuts({ query: { ...cursor, limit: 2 } }),
  ))
    numbers.push(...optOuts.map(({ number }) => number));
  expect(numbers.toSorted()).toEqual(['+15550109930', '+15550109931', '+15550109932']);

  await seedLine(runtime.db, 'other');
  const names: string[] = [];
  for await (const agent of everyItem((page) => callwright.listAgents({ query: page }), { limit: 1 }))
    names.push(agent.name);
  expect(names).toEqual(['Agent client']);
});

it('a list that grows while it is walked repeats nothing and leaves nothing out', async () => {
  const workspaceId = line.actor.workspaceId;
  const end = (id: string, minute: number) =>
    addEndedCall(runtime.db, {
      id,
      workspaceId,
      agentId: line.agentId,
      dateInitiated: new Date(Date.UTC(2026, 0, 5, 9, minute)),
    });
  // Two of one moment lie on the border of a page.
  for (const [id, minute] of [
    ['cnv_w1', 1],
    ['cnv_w2a', 2],
    ['cnv_w2b', 2],
    ['cnv_w3', 3],
    ['cnv_w4', 4],
  ] as const)
    await end(id, minute);
  const walked: string[] = [];
  const query = { datetime_start: Date.UTC(2026, 0, 5), datetime_end: Date.UTC(2026, 0, 6) };
  const read = (page: { limit: number; after?: string }) =>
    callwright.listConversations({ query: { ...query, ...page } });
  for await (const { id } of everyItem(read, { limit: 2 })) {
    walked.push(id);
    // One that began a moment ago, and one that began long before and ends now.
    if (walked.length % 2 === 1) {
      await end(`cnv_new${walked.length}`, 10 + walked.length);
      await end(`cnv_long${walked.length}`, 5);
    }
  }
  expect(walked).toEqual(['cnv_w4', 'cnv_w3', 'cnv_w2b', 'cnv_w2a', 'cnv_w1']);
  await expect(read({ limit: 2, after: 'cnv_gone' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

it('a webhook counts with the signature of exactly its bytes', async () => {
  const body = JSON.stringify({ conversationId: 'cnv_1', summary: 'Grüße' });
  const signature = createHmac('sha256', SECRET).update(body).digest('hex');
  expect(await readWebhook({ body, signature, secret: SECRET })).toMatchObject({ conversationId: 'cnv_1' });
  expect(await isSignedWebhook({ body: Buffer.from(body), signature, secret: SECRET })).toBe(true);
  for (const wrong of [
    { body: `${body} `, signature },
    { body, signature: signature.toUpperCase() },
    { body, signature: signature.slice(2) },
    { body, signature: undefined },
    { body, signature, secret: 'whsec_other' },
  ])
    expect(await readWebhook({ secret: SECRET, ...wrong })).toBe(undefined);
});
