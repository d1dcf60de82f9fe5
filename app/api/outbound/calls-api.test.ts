import { ne } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GET as getConversation } from '#app/api/conversation/[id]/route.ts';
import { GET as listConversations } from '#app/api/conversations/route.ts';
import { GET as getRecording } from '#app/api/recordings/[id]/route.ts';
import { POST as queueCall } from '#app/api/outbound/route.ts';
import { addKey } from '#lib/auth/testing.ts';
import { endedCall, type SeededLine, seedLine } from '#lib/features/calls/testing.ts';
import type { RouteHandler } from '#lib/http/route.ts';
import { outboundPrompts } from '#db/schema/agents.ts';
import { calls } from '#db/schema/calls.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';

const KEY = 'cw_test_alpha_0123456789abcdef0123';
const OTHER_KEY = 'cw_test_beta_0123456789abcdef01234';
let runtime: TestRuntime;
let alpha: SeededLine;
let beta: SeededLine;
let talked: string;
let failed: string;

type Answer = {
  data: Record<string, unknown>;
  message?: string;
  error?: { code: string; message: string; statusCode: number };
};

async function send(
  handler: RouteHandler,
  options: {
    path?: string;
    params?: Record<string, string>;
    body?: unknown;
    key?: string | null;
    headers?: Record<string, string>;
    method?: string;
  } = {},
): Promise<Response> {
  const key = options.key === undefined ? KEY : options.key;
  const request = new Request(`http://localhost:3000/api${options.path ?? ''}`, {
    method: options.method ?? (options.body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(key === null ? {} : { 'x-api-key': key }),
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
  return handler(request, { params: Promise.resolve(options.params ?? {}) });
}

const read = async (response: Response) => (await response.json()) as Answer;
const conversation = async (id: string, key = KEY) =>
  (await read(await send(getConversation, { params: { id }, key }))).data as Record<string, unknown> | null;

async function placeAndWait(to: string): Promise<string> {
  const answer = await read(
    await send(queueCall, { body: { from: alpha.number, to, variables: { name: 'Ann' } } }),
  );
  const id = String(answer.data.conversationId);
  await endedCall(runtime, alpha.actor, id);
  return id;
}

beforeAll(async () => {
  runtime = await startTestRuntime({ worker: true });
  alpha = await seedLine(runtime.db, 'alpha', { workspace: { webhookUrl: null } });
  beta = await seedLine(runtime.db, 'beta', { workspace: { webhookUrl: null } });
  await addKey(runtime, alpha.actor.workspaceId, KEY);
  await addKey(runtime, beta.actor.workspaceId, OTHER_KEY);
  talked = await placeAndWait('+15550109900');
  failed = await placeAndWait('+15550109907');
});
afterAll(() => runtime.close());

describe('POST /outbound', () => {
  it('answers 200 with the call as it was queued and the message', async () => {
    const body = {
      from: alpha.number,
      to: '+15550109908',
      outboundPromptId: alpha.promptId,
      variables: { name: 'Ann' },
    };
    const response = await send(queueCall, { body });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      data: { ...body, conversationId: expect.stringMatching(/^cnv_/) },
      message: 'Call queued',
    });
  });

  it('accepts a call whose opening cannot be said for want of a variable, and says so to repeats too', async () => {
    const body = { from: alpha.number, to: '+15550109908', outboundPromptId: `${alpha.promptId}_visits` };
    await runtime.db.insert(outboundPrompts).values({
      id: body.outboundPromptId,
      workspaceId: alpha.actor.workspaceId,
      agentId: alpha.agentId,
      title: 'Visits',
      instructions: 'You are Mia from Alpha Dental.',
      opening: 'Hi {{name}}, you have {{count}} visits.',
      writtenCardFields: ['opening'],
      createdAt: new Date(),
      updatedAt: new Date(),
    });
    const headers = { 'idempotency-key': 'visits' };
    const first = await send(queueCall, { body, headers });
    expect(first.status).toBe(200);
    const answer = await read(first);
    expect(answer).toEqual({
      data: { ...body, variables: {}, conversationId: expect.stringMatching(/^cnv_/) },
      message:
        'Call queued with another opening: the written one cannot be said without variables that were not given (count)',
    });
    expect(await read(await send(queueCall, { body, headers }))).toEqual(answer);
    const whole = { ...body, variables: { count: '3' } };
    expect((await read(await send(queueCall, { body: whole }))).message).toBe('Call queued');
  });

  it('names every failing field and refuses unknown ones', async () => {
    const response = await send(queueCall, { body: { from: '123', variables: { a: 1 }, extra: true } });
    expect(response.status).toBe(400);
    const { error } = await read(response);
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', statusCode: 400 });
    for (const field of ['from:', 'to: is required', 'variables.a:', 'extra: is not a known field'])
      expect(error?.message).toContain(field);
  });

  it.each([
    '+15550109900\n',
    '15550109900 ',
    '+1555010990',
    'tel:+15550109900',
    '+1555010990000',
    15550109900,
    null,
    ['+15550109900'],
  ])('refuses %j as a number to call', async (to) => {
    // Ten digits after + are a number by the contract's pattern; everything else here is not.
    const expected = to === '+1555010990' ? 200 : 400;
    expect((await send(queueCall, { body: { from: alpha.number, to } })).status).toBe(expected);
  });

  it.each([
    ['+436641234501', '+436641234501'],
    ['+491701234567', '+491701234567'],
    ['+447911123456', '+447911123456'],
    ['+8613800138000', '+8613800138000'],
    ['5550109900', '+15550109900'],
  ])('takes %s, of whichever country, and calls it', async (to, called) => {
    const answer = await read(await send(queueCall, { body: { from: alpha.number, to } }));
    expect(answer.data).toMatchObject({ to: called });
  });

  it.each(['+1 555 123 4567', '123456789', '+999123456789', '00436641234501', '+43664123450100000'])(
    'refuses %s and names the field',
    async (to) => {
      const response = await send(queueCall, { body: { from: alpha.number, to } });
      expect(response.status).toBe(400);
      expect((await read(response)).error).toMatchObject({
        code: 'VALIDATION_ERROR',
        message: 'to: must be a phone number like +15550100001',
      });
    },
  );

  it('calls from a number of twelve digits, too', async () => {
    const number = '+436641234500';
    const vienna = await seedLine(runtime.db, 'vienna', {
      workspace: { webhookUrl: null },
      number: { number },
    });
    const key = 'cw_test_vienna_0123456789abcdef012';
    await addKey(runtime, vienna.actor.workspaceId, key);
    const body = { from: number, to: '06641234501' };
    // The country is that of the workspace's own number: the pattern takes what begins with 0, and no country code does.
    expect((await read(await send(queueCall, { body, key }))).data).toMatchObject({ to: '+436641234501' });
  });

  it('wants a key', async () => {
    const body = { from: alpha.number, to: '+15550109900' };
    expect((await send(queueCall, { body, key: null })).status).toBe(401);
    expect((await send(queueCall, { body, key: 'cw_wrong' })).status).toBe(401);
  });

  it(
    'replays the first answer for an Idempotency-Key and refuses an oversized one',
    { tags: ['postgres'] },
    async () => {
      const body = { from: alpha.number, to: '+15550109907' };
      const first = await read(await send(queueCall, { body, headers: { 'idempotency-key': 'once' } }));
      const second = await read(await send(queueCall, { body, headers: { 'idempotency-key': 'once' } }));
      expect(second).toEqual(first);
      const long = await send(queueCall, { body, headers: { 'idempotency-key': 'x'.repeat(256) } });
      expect((await read(long)).error?.message).toContain('idempotency-key');
    },
  );
});

describe('GET /conversation/{id}', () => {
  it('gives every field of the contract for a call that connected', { tags: ['postgres'] }, async () => {
    expect(await conversation(talked)).toEqual({
      id: talked,
      dateInitiated: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      agentId: alpha.agentId,
      direction: 'OUTBOUND',
      tags: [],
      summary: expect.stringMatching(/./),
      durationSeconds: expect.any(Number),
      cost: expect.any(Number),
      humanPhoneNumber: '+15550109900',
      agentPhoneNumber: alpha.number,
      sentimentClassification: expect.stringMatching(/^(POSITIVE|NEUTRAL)$/),
      disposition: 'COMPLETED',
      variables: { name: 'Ann' },
      transcript: expect.stringMatching(/^Agent: Hello Ann, this is the dentist\./),
      recordingUrl: expect.stringContaining(`/api/recordings/${talked}?expires=`),
    });
  });

  it('has no recording, no cost and no words for a call that never connected', async () => {
    expect(await conversation(failed)).toEqual(
      expect.objectContaining({
        durationSeconds: 0,
        cost: 0,
        transcript: '',
        summary: null,
        sentimentClassification: 'N_A',
        disposition: 'FAILED',
      }),
    );
    expect(await conversation(failed)).not.toHaveProperty('recordingUrl');
  });

  it("is null for an unknown id and for another workspace's conversation", async () => {
    expect(await conversation('cnv_none')).toBeNull();
    expect(await conversation(talked, OTHER_KEY)).toBeNull();
  });
});

describe('GET /conversations', () => {
  // Calls that were accepted above end while they are listed, and would move the pages.
  beforeAll(async () => {
    const isOpen = () => runtime.db.$count(calls, ne(calls.status, 'ended'));
    while ((await isOpen()) > 0) await runtime.clock.sleep(50);
  });

  const list = async (query: string, key = KEY) => {
    const response = await send(listConversations, { path: `/conversations?${query}`, key });
    return {
      status: response.status,
      ...((await response.json()) as { data?: Record<string, unknown>[]; error?: { message: string } }),
    };
  };
  const ids = async (query: string, key = KEY) => (await list(query, key)).data?.map((item) => item.id);

  it(
    'lists ended calls, the most recent first, without recording links',
    { tags: ['postgres'] },
    async () => {
      const { data = [] } = await list('');
      expect(data.map((item) => item.id)).toEqual(expect.arrayContaining([talked, failed]));
      const dates = data.map((item) => String(item.dateInitiated));
      expect(dates).toEqual(dates.toSorted().reverse());
      for (const item of data) {
        expect(item).not.toHaveProperty('recordingUrl');
        expect(item).toMatchObject({ disposition: expect.any(String), variables: expect.any(Object) });
      }
    },
  );

  it('pages without gaps or repeats', { tags: ['postgres'] }, async () => {
    const all = (await ids('')) ?? [];
    const paged: unknown[] = [];
    for (let skip = 0; ; skip += 1) {
      const page = (await ids(`limit=1&skip=${skip}`)) ?? [];
      if (page.length === 0) break;
      paged.push(...page);
    }
    expect(paged).toEqual(all);
    expect(await ids('skip=9007199254740991')).toEqual([]);
  });

  it('filters by time, agent, direction and sentiment', { tags: ['postgres'] }, async () => {
    const call = await conversation(talked);
    const at = Date.parse(String(call?.dateInitiated));
    expect(await ids(`datetime_start=${at}&datetime_end=${at}`)).toEqual([talked]);
    expect(await ids(`datetime_end=${at - 1}`)).toEqual([]);
    expect(await ids('datetime_start=-99999999999999&datetime_end=9007199254740991')).toContain(talked);
    expect(await ids('direction=INBOUND')).toEqual([]);
    const mood = String(call?.sentimentClassification);
    const moods = (await list(`sentiment=${mood}`)).data ?? [];
    expect(moods.map((item) => item.id)).toContain(talked);
    expect(new Set(moods.map((item) => item.sentimentClassification))).toEqual(new Set([mood]));
    expect(await ids(`agent_id=${alpha.agentId}`)).toContain(talked);
  });

  it("refuses another workspace's agent with 403 and finds nothing for an unknown one", async () => {
    expect((await list(`agent_id=${beta.agentId}`)).status).toBe(403);
    expect(await list('agent_id=agent_none')).toEqual({ status: 200, data: [] });
    expect(await ids('', OTHER_KEY)).toEqual([]);
  });

  it.each([
    'limit=101',
    'limit=0',
    'limit=ten',
    'limit=1.5',
    'skip=-1',
    'direction=SIDEWAYS',
    'sentiment=N_A',
    'datetime_start=yesterday',
  ])('refuses %s with 400 and names the field', async (query) => {
    const { status, error } = await list(query);
    expect(status).toBe(400);
    expect(error?.message).toContain(`${query.split('=')[0]}:`);
  });
});

describe('GET /recordings/{id}', () => {
  const open = async (url: string, options: { range?: string; method?: string } = {}) => {
    const { pathname, search } = new URL(url);
    return send(getRecording, {
      path: pathname.replace('/api', '') + search,
      params: { id: decodeURIComponent(pathname.split('/').at(-1) ?? '') },
      key: null,
      method: options.method ?? 'GET',
      headers: options.range ? { range: options.range } : {},
    });
  };
  const link = async () => String((await conversation(talked))?.recordingUrl);

  it('plays a stereo WAV whose length is the conversation', async () => {
    const response = await open(await link());
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('audio/wav');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(Number(response.headers.get('content-length'))).toBe(bytes.length);
    expect(bytes.toString('latin1', 0, 4)).toBe('RIFF');
    expect(bytes.readUInt16LE(22)).toBe(2);
    const seconds = (bytes.length - 44) / (16_000 * 4);
    const call = await conversation(talked);
    expect(Math.abs(seconds - Number(call?.durationSeconds))).toBeLessThanOrEqual(0.5);
  });

  it('serves ranges, HEAD and 416', async () => {
    const url = await link();
    const whole = Buffer.from(await (await open(url)).arrayBuffer());
    const part = await open(url, { range: 'bytes=10-19' });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 10-19/${whole.length}`);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(10, 20));
    const tail = await open(url, { range: 'bytes=-5' });
    expect(Buffer.from(await tail.arrayBuffer())).toEqual(whole.subarray(-5));
    const outside = await open(url, { range: `bytes=${whole.length}-` });
    expect([outside.status, outside.headers.get('content-range')]).toEqual([416, `bytes */${whole.length}`]);
    const head = await open(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), head.headers.get('accept-ranges')]).toEqual([
      200,
      String(whole.length),
      'bytes',
    ]);
    expect((await head.arrayBuffer()).byteLength).toBe(0);
  });

  it('refuses a link that was changed, is unsigned, or belongs to another recording', async () => {
    const url = new URL(await link());
    const changed = (edit: (copy: URL) => void) => {
      const copy = new URL(url);
      edit(copy);
      return open(copy.href);
    };
    const later = String(Number(url.searchParams.get('expires')) + 1);
    expect((await changed((copy) => copy.searchParams.set('expires', later))).status).toBe(403);
    expect((await changed((copy) => copy.searchParams.delete('signature'))).status).toBe(403);
    expect((await changed((copy) => copy.searchParams.set('signature', 'x'))).status).toBe(403);
    expect((await changed((copy) => (copy.pathname = `/api/recordings/${failed}`))).status).toBe(403);
    expect((await changed((copy) => (copy.pathname = '/api/recordings/..%2F..%2Fauth-secret'))).status).toBe(
      403,
    );
  });
});
