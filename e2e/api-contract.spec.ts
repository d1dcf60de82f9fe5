import { expect, test } from '@playwright/test';
import { ALPHA, API_URL, BETA, call, finished } from './support/api.ts';

const outbound = (body: Record<string, unknown>, options: Parameters<typeof call>[2] = {}) =>
  call('POST', '/api/outbound', { body: { from: '+15550100001', to: '+15550109900', ...body }, ...options });

test.describe('every request', () => {
  test('without a key, with an empty or an unknown one is 401 in the error form', async () => {
    for (const key of [null, '', 'cw_test_nobody']) {
      const { status, body } = await call('GET', '/api/agents/agent_alpha', { key });
      expect(status).toBe(401);
      expect(body.error?.statusCode).toBe(401);
      expect(body.error?.message).toMatch(/key/i);
    }
  });

  test('to a path or with a method that does not exist is 404 Route not found', async () => {
    for (const [method, path] of [
      ['GET', '/api/nothing'],
      ['GET', '/api'],
      ['DELETE', '/api/tags'],
      ['PATCH', '/api/agents/agent_alpha'],
      ['POST', '/api/conversation/x'],
      ['PUT', '/api/knowledge-bases/workspace'],
      ['GET', '/api/knowledge-bases/documents/documents'],
      ['POST', '/api/auth/sign-up/email'],
      ['GET', '/API/tags'],
      ['GET', '/nothing'],
      ['GET', '/_next/nothing'],
      ['POST', '/docs'],
      ['DELETE', '/w/ws_alpha/agents'],
      ['POST', '/icon.svg'],
    ] as const) {
      const { status, body } = await call(
        method,
        path,
        method === 'POST' || method === 'PATCH' ? { body: {} } : {},
      );
      expect([path, status, body.error?.message]).toEqual([path, 404, 'Route not found']);
    }
  });

  test('with a method that a path beyond the contract does not have is 405 with those it has', async () => {
    for (const [method, path, allow] of [
      ['PUT', '/api/agents', 'GET, HEAD, POST'],
      ['POST', '/api/phone-numbers', 'GET, HEAD'],
      ['OPTIONS', '/api/auth/sign-in/email', 'POST'],
    ] as const) {
      const { status, body, headers } = await call(method, path);
      expect([path, status, headers.get('allow')]).toEqual([path, 405, allow]);
      expect(body.error?.code).toBe('METHOD_NOT_ALLOWED');
      expect(headers.get('x-request-id')).toMatch(/^req_/);
    }
  });

  test('may end in a slash, and HEAD answers like GET without a body', async () => {
    expect((await call('GET', '/api/agents/agent_alpha/')).status).toBe(200);
    const head = await call('HEAD', '/api/agents/agent_alpha');
    expect([head.status, head.body]).toEqual([200, {}]);
  });

  test('with a body that is no JSON, no JSON type or too large is 400', async () => {
    const path = '/api/agents/agent_alpha/chat-prompt';
    const json = { 'content-type': 'application/json' };
    expect((await call('PUT', path, { raw: '{"chatPrompt":', headers: json })).status).toBe(400);
    expect(
      (
        await call('PUT', path, {
          raw: 'chatPrompt=x',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        })
      ).status,
    ).toBe(400);
    expect(
      (await call('PUT', path, { raw: JSON.stringify({ chatPrompt: 'x'.repeat(6_000_000) }), headers: json }))
        .status,
    ).toBe(400);
    expect((await call('PUT', path, { raw: '[]', headers: json })).status).toBe(400);
    expect((await call('PUT', path, { raw: '', headers: json })).status).toBe(400);
  });

  test('that is refused while its body still comes gets its answer, and the connection goes on', async () => {
    for (const [base, status] of [
      ['kb_alpha', 400],
      ['kb_nowhere', 404],
    ] as const) {
      for (let attempt = 0; attempt < 10; attempt += 1) {
        const form = new FormData();
        form.append('file', new Blob([Buffer.alloc(1_000_000, 97)]), 'program.exe');
        const refused = await call('POST', `/api/knowledge-bases/${base}/documents`, { raw: form });
        expect(refused.status).toBe(status);
        expect((await call('GET', '/api/tags')).status).toBe(200);
      }
    }
  });

  test("for another workspace's resource is 403, for one that does not exist 404", async () => {
    for (const path of [
      '/api/agents/agent_beta',
      '/api/agents/agent_beta/chat-prompt',
      '/api/agents/agent_beta/outbound-prompts',
      '/api/agents/agent_beta/knowledge-bases',
      '/api/knowledge-bases/kb_beta',
      '/api/knowledge-bases/kb_beta/documents',
    ]) {
      expect([path, (await call('GET', path)).status]).toEqual([path, 403]);
      const missing = path.replace('_beta', '_nowhere');
      expect([missing, (await call('GET', missing)).status]).toEqual([missing, 404]);
    }
  });
});

test.describe('POST /outbound', () => {
  test('answers 200 with the conversation id before the call has ended, and the conversation afterwards', async () => {
    const { status, body } = await outbound({ variables: { name: 'Alex', count: '1' } });
    expect(status).toBe(200);
    const data = body.data as { conversationId: string; from: string; to: string; outboundPromptId: string };
    expect(data).toMatchObject({
      from: '+15550100001',
      to: '+15550109900',
      outboundPromptId: 'prompt_alpha',
      variables: { name: 'Alex', count: '1' },
    });
    const conversation = await finished(data.conversationId);
    expect(conversation).toMatchObject({
      id: data.conversationId,
      agentId: 'agent_alpha',
      direction: 'OUTBOUND',
      humanPhoneNumber: '+15550109900',
      agentPhoneNumber: '+15550100001',
    });
    expect(conversation.transcript).toContain(
      'Hello Alex, this is Mia from Alpha Dental. You have one visit left.',
    );
    const recording = await fetch(String(conversation.recordingUrl), { headers: { range: 'bytes=0-43' } });
    expect(recording.status).toBe(206);
    expect(
      Buffer.from(await recording.arrayBuffer())
        .subarray(0, 4)
        .toString(),
    ).toBe('RIFF');
  });

  for (const [count, sentence] of [
    ['3', 'You have 3 visits left.'],
    ['10', 'You have 10 visits left.'],
  ] as const) {
    test(`speaks the opening for count ${count} exactly`, async () => {
      const { body } = await outbound({ variables: { name: 'Alex', count } });
      const conversation = await finished((body.data as { conversationId: string }).conversationId);
      expect(conversation.transcript).toContain(`Hello Alex, this is Mia from Alpha Dental. ${sentence}`);
      expect(conversation.transcript).not.toMatch(/\{\{|\}\}/);
    });
  }

  test('names every failing field', async () => {
    const { status, body } = await call('POST', '/api/outbound', {
      body: { from: 'abc', variables: { a: 1 }, colour: 'red' },
    });
    expect(status).toBe(400);
    expect(body.error?.code).toBe('VALIDATION_ERROR');
    for (const field of ['from: ', 'to: ', 'variables.a: ', 'colour: '])
      expect(body.error?.message).toContain(field);
  });

  test('tells what is wrong with number, prompt and agent', async () => {
    expect((await outbound({ from: '+15550199999' })).status).toBe(404);
    expect((await outbound({ from: '+15550200001' })).status).toBe(404);
    expect((await outbound({ from: '15550100001' })).status).toBe(404);
    expect((await outbound({ outboundPromptId: 'prompt_nowhere' })).status).toBe(404);
    expect((await outbound({ outboundPromptId: 'prompt_beta' })).status).toBe(403);
    expect((await outbound({ from: '+15550100002' })).body.error?.code).toBe('NO_OUTBOUND_PROMPT');
    expect((await outbound({ from: '+15550100003' })).body.error?.code).toBe('AGENT_INACTIVE');
  });

  test('is 403 USAGE_LIMIT_EXCEEDED once the monthly limit is reached', async () => {
    const { status, body } = await outbound({ from: '+15550200001' }, { key: BETA });
    expect([status, body.error?.code]).toEqual([403, 'USAGE_LIMIT_EXCEEDED']);
  });

  test('answers a repeated Idempotency-Key with the first answer, and another request under it with 400', async () => {
    const headers = { 'idempotency-key': 'once-1' };
    const [first, second] = await Promise.all([outbound({}, { headers }), outbound({}, { headers })]);
    expect(second.body).toEqual(first.body);
    expect((await outbound({ to: '+15550109901' }, { headers })).body.error?.code).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    );
  });
});

test.describe('the simulated numbers', () => {
  const expected: [
    string,
    { disposition?: string; tags?: string[]; sentiment?: string; connected: boolean },
  ][] = [
    ['00', { connected: true }],
    ['01', { tags: ['appointment_booked'], connected: true }],
    ['02', { tags: ['callback_scheduled'], connected: true }],
    ['03', { tags: ['not_interested'], sentiment: 'NEGATIVE', connected: true }],
    ['04', { tags: ['transferred'], connected: true }],
    ['05', { tags: ['voicemail'], connected: true }],
    ['06', { tags: ['voicemail_no_message'], connected: true }],
    ['07', { sentiment: 'N_A', connected: false }],
    ['08', { sentiment: 'N_A', connected: false }],
    ['09', { sentiment: 'N_A', connected: false }],
    ['10', { connected: true }],
    ['11', { connected: true }],
    ['12', { connected: true }],
    ['13', { connected: true }],
    ['57', { connected: true }],
  ];
  for (const [digits, wanted] of expected) {
    test(`a call to …${digits} ends as documented`, async () => {
      const { body } = await outbound({
        to: `+155501099${digits}`,
        variables: { name: 'Alex', count: '2', question: 'What are your opening hours?' },
      });
      const conversation = await finished((body.data as { conversationId: string }).conversationId);
      for (const tag of wanted.tags ?? []) expect(conversation.tags).toContain(tag);
      if (wanted.sentiment) expect(conversation.sentimentClassification).toBe(wanted.sentiment);
      if (wanted.connected) {
        expect(conversation.durationSeconds).toBeGreaterThan(0);
        expect(conversation.cost).toBeGreaterThan(0);
      } else {
        expect(conversation).toMatchObject({ transcript: '', durationSeconds: 0, cost: 0 });
        expect(conversation.recordingUrl).toBeUndefined();
      }
    });
  }
});

test.describe('GET /conversations', () => {
  test('lists ended calls, newest first, without recording links, in pages', async () => {
    const all = (await call('GET', '/api/conversations?limit=100')).body.data as {
      id: string;
      dateInitiated: string;
      recordingUrl?: string;
    }[];
    expect(all.length).toBeGreaterThan(3);
    const times = all.map((item) => item.dateInitiated);
    expect(times).toEqual([...times].sort().reverse());
    expect(all.every((item) => item.recordingUrl === undefined)).toBe(true);
    const paged = await Promise.all(
      [0, 2].map(
        async (skip) =>
          (await call('GET', `/api/conversations?limit=2&skip=${skip}`)).body.data as { id: string }[],
      ),
    );
    expect(paged.flat().map((item) => item.id)).toEqual(all.slice(0, 4).map((item) => item.id));
  });

  test('refuses bounds that the contract does not allow and accepts those it does', async () => {
    for (const query of [
      'limit=101',
      'limit=0',
      'limit=x',
      'skip=-1',
      'direction=SIDEWAYS',
      'sentiment=N_A',
      'datetime_start=yesterday',
    ]) {
      expect([query, (await call('GET', `/api/conversations?${query}`)).status]).toEqual([query, 400]);
    }
    for (const query of [
      'limit=100',
      'limit=1',
      'skip=100000',
      'direction=INBOUND',
      'sentiment=NEGATIVE',
      'agent_id=agent_alpha',
      `datetime_start=0&datetime_end=${Date.now()}`,
    ]) {
      expect([query, (await call('GET', `/api/conversations?${query}`)).status]).toEqual([query, 200]);
    }
  });

  test('a conversation is null for another workspace and for an unknown id', async () => {
    const [mine] = (await call('GET', '/api/conversations?limit=1')).body.data as { id: string }[];
    for (const [id, key] of [
      [mine?.id, BETA],
      ['cnv_unknown', ALPHA],
    ] as const) {
      const { status, body } = await call('GET', `/api/conversation/${id}`, { key });
      expect([status, body.data]).toEqual([200, null]);
    }
  });
});

test('assistants use the API over MCP, with the key in either header', async () => {
  for (const [name, value] of [
    ['x-api-key', ALPHA],
    ['authorization', `Bearer ${ALPHA}`],
  ] as const) {
    const response = await fetch(`${API_URL}/api/mcp`, {
      method: 'POST',
      headers: {
        [name]: value,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'list_phone_numbers', arguments: {} },
      }),
    });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('+1555');
  }
});
