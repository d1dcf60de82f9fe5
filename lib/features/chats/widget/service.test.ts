import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPTIONS as preflight, POST as postMessage } from '#app/api/widget/[widgetId]/messages/route.ts';
import { GET as getConfig } from '#app/api/widget/[widgetId]/route.ts';
import { GET as readChat } from '#app/api/widget/[widgetId]/chat/route.ts';
import { POST as startChat } from '#app/api/widget/[widgetId]/chats/route.ts';
import { POST as endChat } from '#app/api/widget/[widgetId]/end/route.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { addWorkspace } from '#lib/auth/testing.ts';
import { setRuntime } from '#lib/current-runtime.ts';
import type { RouteHandler } from '#lib/http/route.ts';
import { buildRuntime } from '#lib/runtime.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { scriptedModel } from '../testing.ts';
import { widgetSettings } from './contract.ts';
import { WIDGET_LIMITS } from './rules.ts';

const SITE = 'https://www.alpha.example';
let runtime: TestRuntime;
let actor: Actor;
let stranger: Actor;
const model = scriptedModel([['You are ', 'welcome.']]);

beforeAll(async () => {
  runtime = await startTestRuntime();
  setRuntime(buildRuntime({ ...runtime, languageModel: model }));
  actor = await addWorkspace(runtime, 'ws_widget');
  stranger = await addWorkspace(runtime, 'ws_other');
});
afterAll(() => runtime.close());

async function addWidget(settings: Record<string, unknown> = {}) {
  const { id: agentId } = await runtime.agents.create(actor, { name: 'Desk', inboundPrompt: 'You are Mia.' });
  const wanted = { isEnabled: true, allowedOrigins: [SITE], ...settings };
  const { widgetId } = await runtime.chatWidgets.change(actor, agentId, widgetSettings.parse(wanted));
  return { agentId, widgetId: widgetId ?? '' };
}

type Text = { text: string };
/** Of all that the routes answer, what tests look at. */
type Answered = { token: string; status: string; messages: Text[]; chat: { messages: Text[] } };

let lastAddress = 0;
type Asked = {
  widgetId: string;
  origin?: string | null;
  token?: string;
  body?: object;
  address?: string;
  method?: string;
};

/** A visitor's browser; each asks from an address of its own unless a test says otherwise. */
async function ask(
  handler: RouteHandler,
  { widgetId, origin = SITE, token, body, address, method = 'POST' }: Asked,
) {
  const request = new Request(`http://localhost:3000/api/widget/${widgetId}`, {
    method,
    headers: {
      'x-client-address': address ?? `203.0.113.${(lastAddress += 1)}`,
      ...(origin === null ? {} : { origin }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const response = await handler(request, { params: Promise.resolve({ widgetId }) });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  const answer = (isJson ? JSON.parse(text) : {}) as {
    data: Answered;
    error?: { code: string; message: string };
  };
  return { status: response.status, headers: response.headers, text, ...answer };
}

async function begin(widgetId: string): Promise<string> {
  const { data } = await ask(startChat, { widgetId });
  return data.token;
}
const message = (id = 'message-1') => ({ id, text: 'Thank you' });

describe('a page of an allowed origin', () => {
  it('gets the look, begins a chat, writes in it, reads it again and ends it', async () => {
    const { widgetId } = await addWidget({ title: 'Ask us', greeting: 'Hi there!', color: '#aa3300' });
    const config = await ask(getConfig, { widgetId, method: 'GET' });
    expect(config.headers.get('access-control-allow-origin')).toBe(SITE);
    expect(config.headers.get('access-control-allow-credentials')).toBeNull();
    expect(config.data).toMatchObject({
      title: 'Ask us',
      greeting: 'Hi there!',
      color: '#aa3300',
      language: 'en',
    });
    const started = await ask(startChat, { widgetId });
    expect(started.data.chat.messages).toMatchObject([{ text: 'Hi there!' }]);
    const { token } = started.data;
    const answered = await ask(postMessage, { widgetId, token, body: message() });
    expect(answered.headers.get('content-type')).toBe('text/event-stream');
    expect(answered.text).toContain('You are welcome.');
    const read = await ask(readChat, { widgetId, token, method: 'GET' });
    expect(read.data.messages.map(({ text }) => text)).toEqual([
      'Hi there!',
      'Thank you',
      'You are welcome.',
    ]);
    expect((await ask(endChat, { widgetId, token })).data.status).toBe('ended');
  });

  it('may ask before it sends, and only for what the widget needs', async () => {
    const { widgetId } = await addWidget({ allowedOrigins: ['https://*.alpha.example'] });
    const allowed = await ask(preflight, {
      widgetId,
      origin: 'https://shop.alpha.example',
      method: 'OPTIONS',
    });
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('access-control-allow-headers')).toBe('authorization, content-type');
    const refused = await ask(preflight, {
      widgetId,
      origin: 'https://alpha.example.evil',
      method: 'OPTIONS',
    });
    expect(refused.status).toBe(403);
    expect(refused.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('is kept as a conversation of the workspace that is no test and tells where it came from', async () => {
    const { widgetId, agentId } = await addWidget();
    const token = await begin(widgetId);
    await ask(postMessage, { widgetId, token, body: message() });
    await ask(endChat, { widgetId, token });
    const { calls } = await runtime.conversations.listCalls(actor, {
      agentId,
      channel: 'chat',
      limit: 10,
      skip: 0,
    });
    expect(calls).toMatchObject([{ channel: 'chat', isTest: false }]);
  });
});

describe('nobody else', () => {
  it('learns anything of a widget: other origins, none at all, and similar ones', async () => {
    const { widgetId } = await addWidget();
    for (const origin of [
      null,
      'null',
      'https://evil.example',
      'http://www.alpha.example',
      `${SITE}.evil.example`,
      `${SITE}:8443`,
    ]) {
      for (const handler of [getConfig, startChat, readChat, endChat]) {
        const refused = await ask(handler, { widgetId, origin });
        expect([refused.status, refused.error?.code], String(origin)).toEqual([403, 'FORBIDDEN']);
        expect(refused.headers.get('access-control-allow-origin')).toBeNull();
        expect(refused.text).not.toContain('Mia');
      }
    }
  });

  it('opens a chat without its token, or with one of another widget', async () => {
    const { widgetId } = await addWidget();
    const other = await addWidget();
    const token = await begin(widgetId);
    const [chatId, signature = ''] = token.split('.');
    const altered = (signature.startsWith('_') ? 'a' : '_') + signature.slice(1);
    for (const wrong of ['', 'x', `${chatId}.x`, `${chatId}.${altered}`])
      expect((await ask(readChat, { widgetId, token: wrong, method: 'GET' })).status).toBe(403);
    expect((await ask(readChat, { widgetId: other.widgetId, token, method: 'GET' })).status).toBe(403);
    expect((await ask(readChat, { widgetId, token, method: 'GET' })).status).toBe(200);
  });

  it('reads or changes the settings of another workspace', async () => {
    const { agentId } = await addWidget();
    await expect(runtime.chatWidgets.get(stranger, agentId)).rejects.toMatchObject({ status: 403 });
    await expect(runtime.chatWidgets.change(stranger, agentId, { isEnabled: false })).rejects.toMatchObject({
      status: 403,
    });
  });
});

describe('switching the widget off', () => {
  it('stops it at once, the chats that run too, and is in the audit log', async () => {
    const { widgetId, agentId } = await addWidget();
    const token = await begin(widgetId);
    await runtime.chatWidgets.change(actor, agentId, { isEnabled: false });
    for (const handler of [getConfig, startChat, readChat])
      expect((await ask(handler, { widgetId, token })).status).toBe(404);
    const { calls } = await runtime.conversations.listCalls(actor, { agentId, limit: 10, skip: 0 });
    await expect
      .poll(async () => (await runtime.conversations.getCall(actor, calls[0]?.id ?? '')).status)
      .toBe('ended');
    const { events } = await runtime.audit.list(actor, { limit: 10, targetId: agentId });
    expect(events[0]).toMatchObject({
      action: 'agent.widget.updated',
      data: { changes: { isEnabled: { from: true, to: false } } },
    });
  });

  it('for one origin ends the chats of that one', async () => {
    const other = 'https://shop.alpha.example';
    const { widgetId, agentId } = await addWidget({ allowedOrigins: [SITE, other] });
    const gone = (await ask(startChat, { widgetId, origin: other })).data.token;
    const stays = await begin(widgetId);
    await runtime.chatWidgets.change(actor, agentId, { allowedOrigins: [SITE] });
    expect((await ask(readChat, { widgetId, token: stays })).data.status).toBe('open');
    expect((await ask(readChat, { widgetId, token: gone })).data.status).toBe('ended');
    expect((await ask(readChat, { widgetId, token: gone, origin: other })).status).toBe(403);
  });

  it('goes with the agent: inactive or deleted, it has none', async () => {
    const { widgetId, agentId } = await addWidget();
    await runtime.agents.update(actor, agentId, { isActive: false });
    expect((await ask(getConfig, { widgetId })).status).toBe(404);
    await runtime.agents.update(actor, agentId, { isActive: true });
    expect((await ask(getConfig, { widgetId })).status).toBe(200);
    await runtime.agents.remove(actor, agentId);
    expect((await ask(getConfig, { widgetId })).status).toBe(404);
  });
});

describe('haste', () => {
  it('of one network is answered 429 with a time to wait, which the page may read; IPv6 counts by /64', async () => {
    const { widgetId } = await addWidget();
    const from = (last: number) => `2001:db8:1:1::${last.toString(16)}`;
    for (let count = 1; count <= WIDGET_LIMITS.start.ofNetwork.points; count += 1)
      expect((await ask(startChat, { widgetId, address: from(count) })).status).toBe(200);
    const refused = await ask(startChat, { widgetId, address: from(999) });
    expect([refused.status, refused.error?.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('access-control-allow-origin')).toBe(SITE);
    expect(refused.headers.get('access-control-expose-headers')).toContain('retry-after');
    expect((await ask(startChat, { widgetId, address: '2001:db8:1:2::1' })).status).toBe(200);
  });

  it('has bounds for what one sends', async () => {
    const { widgetId } = await addWidget();
    const token = await begin(widgetId);
    const long = await ask(postMessage, {
      widgetId,
      token,
      body: { id: 'message-1', text: 'x'.repeat(4_001) },
    });
    expect([long.status, long.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    const huge = await ask(postMessage, {
      widgetId,
      token,
      body: { id: 'message-1', text: 'x'.repeat(40_000) },
    });
    expect([huge.status, huge.error?.code]).toEqual([400, 'PAYLOAD_TOO_LARGE']);
  });
});

it('a model that fails tells a visitor no more than that there is no answer', async () => {
  const { widgetId } = await addWidget();
  setRuntime(buildRuntime({ ...runtime, languageModel: scriptedModel([{ fails: 'bad_key' }]) }));
  const token = await begin(widgetId);
  const { text } = await ask(postMessage, { widgetId, token, body: message() });
  expect(text).toContain('"no_answer"');
  expect(text).not.toContain('bad_key');
});

it('origins are kept as browsers send them, also of a page that was pasted, and what is none is refused', () => {
  const kept = (text: string) => {
    const parsed = widgetSettings.safeParse({ allowedOrigins: [text] });
    return parsed.success ? parsed.data.allowedOrigins?.[0] : undefined;
  };
  expect(kept('HTTPS://Www.Alpha.Example/')).toBe('https://www.alpha.example');
  expect(kept('https://alpha.example:443')).toBe('https://alpha.example');
  expect(kept('http://localhost:8080')).toBe('http://localhost:8080');
  expect(kept('https://*.alpha.example')).toBe('https://*.alpha.example');
  expect(kept('https://a.example/contact/?from=mail#form')).toBe('https://a.example');
  expect(kept('www.a.example/contact')).toBe('https://www.a.example');
  expect(kept('http://[::1]:3000/x')).toBe('http://[::1]:3000');
  for (const wrong of [
    'alpha',
    'our website',
    'javascript:alert(1)',
    '*',
    'https://*',
    'https://*.com',
    'https://*.10.0.0.1',
    'ftp://a.example',
    'https://a@b.example',
    'https://a.*.example',
  ])
    expect(kept(wrong), wrong).toBeUndefined();
});
