import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { isAppError } from '#lib/errors.ts';
import type { ModelEvent } from '#lib/ports/language-model.ts';
import { providerFailureOf } from '#lib/ports/provider-failure.ts';
import { createOpenAiLanguageModel } from './language-model.ts';

type Handler = (
  request: { body: Record<string, unknown>; headers: IncomingMessage['headers'] },
  response: ServerResponse,
) => void;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server that speaks the chat completions protocol; each request is answered by the next handler. */
async function startServer(...handlers: Handler[]) {
  const requests: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
      requests.push(body);
      const handler = handlers[Math.min(requests.length, handlers.length) - 1];
      handler?.({ body, headers: request.headers }, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const model = createOpenAiLanguageModel({
    apiKey: 'test',
    baseUrl: `http://127.0.0.1:${port}/v1`,
    model: 'test-model',
    stallMs: 60,
  });
  return { model, requests };
}

const chunk = (delta: object, finish: string | null = null) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 0,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
});

function stream(parts: object[], options: { done?: boolean; end?: boolean } = {}): Handler {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const part of parts) response.write(`data: ${JSON.stringify(part)}\n\n`);
    if (options.done !== false) response.write('data: [DONE]\n\n');
    if (options.end !== false) response.end();
  };
}

const fail =
  (status: number, headers: Record<string, string> = {}, code = 'x'): Handler =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { message: 'no', type: 'x', code } }));
  };

async function collect(events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const found: ModelEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}

const ask = { instructions: 'Be kind.', messages: [{ role: 'user' as const, content: 'Hello' }], tools: [] };
const lookup = { name: 'lookup', description: 'Looks up.', parameters: { type: 'object', properties: {} } };

describe('the OpenAI language model', () => {
  it('streams text and reports the tokens used', async () => {
    const { model, requests } = await startServer(
      stream([
        chunk({ role: 'assistant', content: 'Good ' }),
        chunk({ content: 'day.' }),
        chunk({}, 'stop'),
        { ...chunk({}), choices: [], usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } },
      ]),
    );
    expect(await collect(model.respond(ask))).toEqual([
      { type: 'text', delta: 'Good ' },
      { type: 'text', delta: 'day.' },
      { type: 'done', usage: { inputTokens: 7, outputTokens: 3 } },
    ]);
    expect(requests[0]).toMatchObject({
      model: 'test-model',
      stream: true,
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Hello' },
      ],
    });
    expect(requests[0]).not.toHaveProperty('tools');
  });

  it('puts tool calls together from their parts, in order, malformed arguments as they are', async () => {
    const { model, requests } = await startServer(
      stream([
        chunk({
          tool_calls: [
            { index: 1, id: 'b', type: 'function', function: { name: 'lookup', arguments: '{oops' } },
          ],
        }),
        chunk({
          tool_calls: [
            { index: 0, id: 'a', type: 'function', function: { name: 'lookup', arguments: '{"q":' } },
          ],
        }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '"x"}' } }] }),
        chunk({}, 'tool_calls'),
      ]),
    );
    const events = await collect(
      model.respond({
        ...ask,
        tools: [lookup],
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: '', toolCalls: [{ id: 'z', name: 'lookup', arguments: '{}' }] },
          { role: 'tool', toolCallId: 'z', content: '{"ok":true}' },
        ],
      }),
    );
    expect(events.filter((event) => event.type !== 'working')).toEqual([
      { type: 'tool_call', id: 'a', name: 'lookup', arguments: '{"q":"x"}' },
      { type: 'tool_call', id: 'b', name: 'lookup', arguments: '{oops' },
      { type: 'done', usage: undefined },
    ]);
    expect(requests[0]).toMatchObject({
      tools: [{ type: 'function', function: lookup }],
      messages: [
        {},
        {},
        { role: 'assistant', content: null, tool_calls: [{ id: 'z' }] },
        { role: 'tool', tool_call_id: 'z' },
      ],
    });
  });

  it.each([
    [401, {}, 'bad_key', 0],
    [403, {}, 'bad_key', 0],
    [404, {}, 'no_such_model', 0],
    [429, { 'retry-after': '20' }, 'rate_limited', 20_000],
    [429, { code: 'insufficient_quota' }, 'no_credit', 0],
    [400, {}, 'refused', 0],
    [503, { 'retry-after-ms': '5' }, 'overloaded', 5],
  ])('answers status %i %j at once as %s', async (status, told, kind, retryAfterMs) => {
    const { code, ...headers } = told as Record<string, string>;
    const { model, requests } = await startServer(fail(status, headers, code));
    const failure = await collect(model.respond(ask)).catch((error: unknown) => error);
    expect(isAppError(failure) && failure.code).toBe('PROVIDER_FAILED');
    expect(providerFailureOf(failure)).toEqual({ kind, ...(retryAfterMs ? { retryAfterMs } : {}) });
    expect(requests).toHaveLength(1);
  });

  it('tries again for JSON, for which nobody waits on the line', async () => {
    const { model, requests } = await startServer(
      fail(503, { 'retry-after-ms': '1' }),
      (_, response) =>
        void response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(
            JSON.stringify({ choices: [{ message: { content: '<think>{}</think>```json\n{"a":1}\n```' } }] }),
          ),
    );
    const asked = { instructions: '', input: '', schemaName: 's', schema: {} };
    expect(await model.completeJson(asked)).toEqual({ value: { a: 1 }, usage: undefined });
    expect(requests).toHaveLength(2);
  });

  it('keeps what the model thinks to itself, and shows that it is at work', async () => {
    const { model } = await startServer(
      stream([
        chunk({ reasoning_content: 'The secret is 42.' }),
        chunk({ content: '<thi' }),
        chunk({ content: 'nk>The secret is 42.' }),
        chunk({ content: '</think>Good day, ' }),
        chunk({ content: [{ type: 'thinking', thinking: [] }] }),
        chunk({ content: 'how can I help you?' }, 'stop'),
      ]),
    );
    const events = await collect(model.respond(ask));
    expect(events.map((event) => event.type)).toContain('working');
    const text = events.map((event) => (event.type === 'text' ? event.delta : '')).join('');
    expect(text).toBe('Good day, how can I help you?');
  });

  it('tells an answer that was withheld and one that was cut from a whole one, and cuts no tool call', async () => {
    const call = { index: 0, id: 'a', type: 'function', function: { name: 'lookup', arguments: '{"q"' } };
    const { model } = await startServer(
      stream([chunk({ content: '' }, 'content_filter')]),
      stream([chunk({ tool_calls: [call] }), chunk({}, 'length')]),
    );
    expect(await collect(model.respond(ask))).toEqual([
      { type: 'done', usage: undefined, finish: 'filtered' },
    ]);
    expect(await collect(model.respond({ ...ask, tools: [lookup] }))).toEqual([
      { type: 'working' },
      { type: 'done', usage: undefined, finish: 'length' },
    ]);
  });

  it.each([
    ['ends without a finish', { done: false }],
    ['ends with the marker but without a finish', {}],
    ['stalls', { done: false, end: false }],
  ])('fails when the stream %s, after what was received', async (_, options) => {
    const { model } = await startServer(stream([chunk({ content: 'Yes, it was ab' })], options));
    const received: ModelEvent[] = [];
    const reading = (async () => {
      for await (const event of model.respond(ask)) received.push(event);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'PROVIDER_FAILED' });
    expect(received).toEqual([{ type: 'text', delta: 'Yes, it was ab' }]);
  });

  it('fails on a connection that breaks and on answers that are no protocol', async () => {
    const broken = await startServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(chunk({ content: 'Hel' }))}\n\n`);
      setImmediate(() => response.destroy());
    });
    await expect(collect(broken.model.respond(ask))).rejects.toMatchObject({ code: 'PROVIDER_FAILED' });
    const strange = await startServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('data: {not json}\n\n');
    });
    await expect(collect(strange.model.respond(ask))).rejects.toMatchObject({ code: 'PROVIDER_FAILED' });
  });

  it('stops reading when the caller aborts, with the reason of the caller', async () => {
    const { model } = await startServer(
      stream([chunk({ content: 'One. ' }), chunk({ content: 'Two. ' })], { done: false, end: false }),
    );
    const abort = new AbortController();
    const reading = (async () => {
      for await (const _ of model.respond({ ...ask, signal: abort.signal }))
        abort.abort(new Error('interrupted'));
    })();
    await expect(reading).rejects.toThrow('interrupted');
  });

  it('answers JSON by a strict schema', async () => {
    const { model, requests } = await startServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          choices: [
            { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: '{"mood":"good"}' } },
          ],
          usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
        }),
      );
    });
    const schema = {
      type: 'object',
      properties: { mood: { type: 'string' } },
      required: ['mood'],
      additionalProperties: false,
    };
    const answer = await model.completeJson({
      instructions: 'Judge.',
      input: 'Nice call',
      schemaName: 'mood',
      schema,
    });
    expect(answer).toEqual({ value: { mood: 'good' }, usage: { inputTokens: 5, outputTokens: 2 } });
    expect(requests[0]).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { name: 'mood', strict: true, schema } },
    });
  });

  it('asks a server that knows no schemas for an object, then with words, and keeps to what it took', async () => {
    type Asked = { response_format?: { type: string }; messages: { content: string }[] };
    const refused = ['json_schema', 'json_object'];
    const { model, requests } = await startServer(({ body }, response) => {
      const type = (body as Asked).response_format?.type ?? '';
      const isRefused = refused.includes(type);
      response.writeHead(isRefused ? 400 : 200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(
          isRefused
            ? { error: { message: 'This response_format type is unavailable now' } }
            : { choices: [{ finish_reason: 'stop', message: { content: '```json\n{"mood":"good"}\n```' } }] },
        ),
      );
    });
    const schema = { type: 'object', properties: { mood: { type: 'string' } } };
    const wanted = { instructions: 'Judge.', input: 'Nice call', schemaName: 'mood', schema };
    expect((await model.completeJson(wanted)).value).toEqual({ mood: 'good' });
    expect((await model.completeJson(wanted)).value).toEqual({ mood: 'good' });
    const asked = requests as Asked[];
    expect(asked.map((each) => each.response_format?.type)).toEqual([...refused, undefined, undefined]);
    expect(asked[2]?.messages[0]?.content).toContain(JSON.stringify(schema));
  });

  it('does not ask again for what a server refuses for another reason', async () => {
    const { model, requests } = await startServer((_, response) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: 'The prompt is too long' } }));
    });
    const wanted = { instructions: '', input: '', schemaName: 's', schema: {} };
    await expect(model.completeJson(wanted)).rejects.toMatchObject({ code: 'PROVIDER_FAILED' });
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['no JSON', { finish_reason: 'stop', message: { content: 'Sure! Here it is' } }],
    ['a refusal', { finish_reason: 'stop', message: { content: null, refusal: 'I will not' } }],
    ['a cut answer', { finish_reason: 'length', message: { content: '{"mood":"go' } }],
  ])('fails on %s instead of JSON', async (_, choice) => {
    const { model } = await startServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ choices: [choice] }));
    });
    await expect(
      model.completeJson({ instructions: '', input: '', schemaName: 's', schema: {} }),
    ).rejects.toMatchObject({ code: 'PROVIDER_FAILED' });
  });
});
