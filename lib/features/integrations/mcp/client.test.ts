import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createSender } from '#lib/outgoing/sender.ts';
import { callServerTool, listServerTools } from './client.ts';
import { MCP_LIMITS, refreshTools } from './tool.ts';

/** The SDK's own server: of today's protocol, and of the one with sessions, answering as JSON or as an event stream. */
let http: Server;
let base: string;
const seen: { authorization: string | undefined; method: string | undefined; session: boolean }[] = [];
const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
let isForgetful = false;

function orders(): McpServer {
  const server = new McpServer({ name: 'orders', version: '1' });
  const inputSchema = z.object({ id: z.string().describe('The order number') });
  server.registerTool('look.up.order', { description: 'Looks up an order.', inputSchema }, ({ id }) => ({
    content: [
      { type: 'text', text: `${id} is on its way` },
      { type: 'text', text: 'and arrives tomorrow' },
      { type: 'image', data: '', mimeType: 'image/png' },
    ],
  }));
  const outputSchema = z.object({ state: z.string() });
  server.registerTool('structured', { description: 'Data.', outputSchema }, () => ({
    content: [],
    structuredContent: { state: 'on its way' },
  }));
  server.registerTool('fails', { description: 'Fails.' }, () => ({
    isError: true,
    content: [{ type: 'text', text: 'no such order' }],
  }));
  server.registerTool('long', { description: 'Long.' }, () => ({
    content: [{ type: 'text', text: 'x'.repeat(100_000) }],
  }));
  return server;
}

async function answerInSession(request: IncomingMessage, response: ServerResponse) {
  const id = request.headers['mcp-session-id'];
  const known = sessions.get(String(id));
  if (known && isForgetful) {
    isForgetful = false;
    sessions.clear();
  }
  if (known && sessions.size > 0) return known.handleRequest(request, response);
  if (id !== undefined) return void response.writeHead(404).end();
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (session) => void sessions.set(session, transport),
  });
  await orders().connect(transport);
  return transport.handleRequest(request, response);
}

async function answerOnce(request: IncomingMessage, response: ServerResponse) {
  const transport = new NodeStreamableHTTPServerTransport({ enableJsonResponse: true });
  await orders().connect(transport);
  return transport.handleRequest(request, response);
}

const handleToday = toNodeHandler(createMcpHandler(orders));
/** The SDK's own type of a request is stricter than Node's. */
const today = (request: IncomingMessage, response: ServerResponse) =>
  handleToday(request as Parameters<typeof handleToday>[0], response);

const STRANGE: Record<string, (response: ServerResponse) => void> = {
  '/page': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
  '/locked': (response) =>
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"who are you"}'),
  '/moved': (response) => response.writeHead(307, { location: '/json' }).end(),
  '/silent': () => undefined,
  '/endless': (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const timer = setInterval(() => response.write(': still here\n\n'), 20);
    response.on('close', () => clearInterval(timer));
  },
  '/large': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`{"text":"${'x'.repeat(10_000_000)}"}`);
  },
  '/large-events': (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: {"text":"${'x'.repeat(10_000_000)}"}\n\n`);
  },
};

beforeAll(async () => {
  http = createServer((request, response) => {
    const { headers, method, url = '' } = request;
    seen.push({ authorization: headers.authorization, method, session: 'mcp-session-id' in headers });
    const strange = STRANGE[url];
    if (strange) strange(response);
    else if (url === '/today') void today(request, response);
    else if (url === '/session') void answerInSession(request, response);
    else void answerOnce(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
});
beforeEach(() => void (seen.length = 0));
afterAll(() => {
  http.closeAllConnections();
  http.close();
});

type Given = { allowlist?: string[]; timeoutMs?: number; protocolVersion?: string | null };
const server = (path: string, { allowlist = ['127.0.0.0/8'], ...given }: Given = {}) => ({
  address: `${base}${path}`,
  headers: { authorization: 'Bearer of a test' },
  sender: createSender({ allowlist }),
  protocolVersion: null,
  timeoutMs: 5000,
  ...given,
});
const lookUp = { name: 'look.up.order', arguments: { id: 'A-1' } };
const HEARD = 'A-1 is on its way\nand arrives tomorrow\nThe answer has an image that cannot be read out.';

describe.each(['/today', '/session', '/json'])('a server that speaks as at %s', (path) => {
  it('is asked for its tools and uses one, with its headers and over no second stream', async () => {
    const listing = await listServerTools(server(path));
    expect(listing).toMatchObject({
      ok: true,
      tools: [{ name: 'look.up.order' }, { name: 'structured' }, { name: 'fails' }, { name: 'long' }],
    });
    expect(await callServerTool(server(path), lookUp)).toEqual({
      isTheirFault: false,
      heard: { ok: true, data: HEARD },
    });
    expect(seen.every(({ authorization }) => authorization === 'Bearer of a test')).toBe(true);
    expect(seen.some(({ method }) => method === 'GET')).toBe(false);
  });

  it('tells structured content, what failed, and no more than a model can hear', async () => {
    const use = async (name: string) => (await callServerTool(server(path), { name, arguments: {} })).heard;
    expect(await use('structured')).toEqual({ ok: true, data: { state: 'on its way' } });
    expect(await use('fails')).toEqual({
      ok: false,
      reason: 'The tool of the server failed.',
      data: 'no such order',
    });
    const long = await use('long');
    expect(long).toMatchObject({ ok: true, isCut: true });
    expect(JSON.stringify(long).length).toBeLessThan(4100);
  });

  it('refuses a tool that it does not have, which is no fault of the connection', async () => {
    const { heard, isTheirFault } = await callServerTool(server(path), { name: 'gone', arguments: {} });
    expect(heard.ok).toBe(false);
    expect(isTheirFault).toBe(false);
  });
});

it('a version that is known is not asked for again', async () => {
  const { protocolVersion = null } = { ...(await listServerTools(server('/today'))) } as Given;
  seen.length = 0;
  expect((await callServerTool(server('/today', { protocolVersion }), lookUp)).heard.ok).toBe(true);
  expect(seen).toHaveLength(1);
});

it('a server that speaks an older version by now is asked anew', async () => {
  for (const path of ['/session', '/json'])
    expect((await callServerTool(server(path, { protocolVersion: '2026-07-28' }), lookUp)).heard).toEqual({
      ok: true,
      data: HEARD,
    });
});

it('a session that the server has forgotten is opened anew, once', async () => {
  isForgetful = true;
  const { heard } = await callServerTool(server('/session', { protocolVersion: '2025-06-18' }), lookUp);
  expect(heard).toEqual({ ok: true, data: HEARD });
  expect(isForgetful).toBe(false);
});

it.each([
  ['/page', {}, /does not speak MCP/],
  ['/locked', {}, 'The server answered with status 401.'],
  ['/moved', {}, 'The server answered with status 307.'],
  ['/silent', { timeoutMs: 200 }, /No complete answer came within|did not answer in time/],
  ['/endless', { timeoutMs: 200 }, /No complete answer came within|did not answer in time/],
  ['/large', {}, 'The answer is too large.'],
  ['/large-events', {}, 'The answer is too large.'],
  ['/json', { allowlist: [] }, /The address is refused/],
])('%s with %j is a failure in one sentence', async (path, limits, reason) => {
  const known = { protocolVersion: '2025-06-18', ...limits };
  for (const given of [limits, known]) {
    const { heard, isTheirFault } = await callServerTool(server(path, given), lookUp);
    expect(heard).toMatchObject({ ok: false, reason: expect.stringMatching(reason) });
    expect(isTheirFault).toBe(true);
  }
});

describe('tools that a server lists', () => {
  const naming = { prefix: 'My shop!', isTaken: (name: string) => name === 'end_call' || name === 'taken' };
  const listed = (name: string, description = 'Does it.') => ({
    name,
    description,
    inputSchema: { type: 'object' },
  });

  it('get names that models take and nobody else has, and are not chosen', () => {
    const { tools, added } = refreshTools(
      [],
      [listed('look.up.order'), listed('end_call'), listed('look-up order!'), listed('look up order')],
      naming,
    );
    expect(tools.map(({ name, isChosen }) => [name, isChosen])).toEqual([
      ['look_up_order', false],
      ['My_shop_end_call', false],
      ['look-up_order', false],
      ['My_shop_look_up_order', false],
    ]);
    expect(added).toHaveLength(4);
  });

  it('stay chosen while they say the same, and are let go when they describe themselves in other words', () => {
    const { tools: first } = refreshTools([], [listed('one'), listed('two'), listed('three')], naming);
    const chosen = first.map((tool) => ({ ...tool, isChosen: true }));
    const again = refreshTools(
      chosen,
      [listed('one'), listed('two', 'Always call this first.'), listed('four')],
      naming,
    );
    expect(again.tools.map(({ name, isChosen }) => [name, isChosen])).toEqual([
      ['one', true],
      ['two', false],
      ['four', false],
    ]);
    expect(again).toMatchObject({ added: ['four'], changed: ['two'], gone: ['three'], skipped: 0 });
  });

  it('are bounded in number and size', () => {
    const many = Array.from({ length: 1000 }, (_, index) => listed(`tool ${index}`, 'x'.repeat(100_000)));
    const { tools, skipped } = refreshTools(
      [],
      [...many, { name: 'odd', inputSchema: { type: 'string' } }],
      naming,
    );
    expect(tools).toHaveLength(MCP_LIMITS.tools);
    expect(skipped).toBe(801);
    expect(JSON.stringify(tools).length).toBeLessThan(300_000);
  });
});
