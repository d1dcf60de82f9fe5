import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { POST as QUEUE_CALL } from '#app/api/outbound/route.ts';
import { queryRows } from '#db/client.ts';
import { createOpenAiLanguageModel } from '#lib/adapters/models/openai/language-model.ts';
import { createOtlpTracer } from '#lib/adapters/tracing/otlp.ts';
import { addKey, callRoute } from '#lib/auth/testing.ts';
import { seedLine, type SeededLine } from '#lib/features/calls/testing.ts';
import { createLogger } from '#lib/log.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';

const KEY = 'cw_test_traced';
const CALLER = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const SECRETS = ['Annabelle Planted', '+15550007701', 'planted prompt', 'owner@planted.test'];

type Span = {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
};

let runtime: TestRuntime;
let line: SeededLine;
const spans: Span[] = [];
const logged: string[] = [];
const webhooks: IncomingMessage['headers'][] = [];
const servers: Server[] = [];

async function listen(hear: (request: IncomingMessage, body: string) => void): Promise<string> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      hear(request, Buffer.concat(parts).toString());
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  // As a collector does: OTLP over HTTP, in JSON.
  const endpoint = await listen((request, body) => {
    expect(request.url).toBe('/v1/traces');
    const { resourceSpans } = JSON.parse(body) as {
      resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
    };
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
  });
  const webhookUrl = await listen((request) => webhooks.push(request.headers));
  const log = createLogger('info', { write: (text) => logged.push(text) });
  runtime = await startTestRuntime({
    worker: true,
    env: { WEBHOOK_ALLOWLIST: '127.0.0.1' },
    overrides: { tracer: createOtlpTracer({ endpoint, version: 'test', role: 'all' }, log), log },
  });
  line = await seedLine(runtime.db, 'traced', { workspace: { webhookUrl } });
  await addKey(runtime, line.actor.workspaceId, KEY);
});
afterAll(async () => {
  await runtime.close();
  for (const server of servers) server.close();
});

it('follows a call from the request over queue, dial, turns and tools to the webhook in one trace', async () => {
  const answer = await callRoute(QUEUE_CALL, {
    body: { from: line.number, to: SECRETS[1], variables: { name: SECRETS[0], note: SECRETS[2] } },
    headers: { 'x-api-key': KEY, traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01` },
  });
  expect(answer.status).toBeLessThan(300);
  await expect.poll(() => webhooks.length, { timeout: 20_000 }).toBe(1);
  const named = (name: string) => spans.find((span) => span.name === name);
  await expect.poll(() => named('webhook'), { timeout: 10_000 }).toBeDefined();
  await expect.poll(() => named('call'), { timeout: 10_000 }).toBeDefined();

  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([CALLER.traceId]));
  const [request, call, webhook] = [named('queueOutboundCall'), named('call'), named('webhook')];
  expect(request?.parentSpanId).toBe(CALLER.spanId);
  expect(call?.parentSpanId).toBe(request?.spanId);
  expect(webhook?.parentSpanId).toBe(call?.spanId);
  for (const name of ['wait in the queue', 'dial', 'turn agent', 'turn human'])
    expect(named(name)?.parentSpanId, name).toBe(call?.spanId);
  for (const { name, startTimeUnixNano, endTimeUnixNano } of spans)
    expect(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano), name).toBe(true);
  // The receiver goes on from the span that called it.
  expect(webhooks[0]?.traceparent).toBe(`00-${CALLER.traceId}-${webhook?.spanId}-01`);
});

it('writes one line for the request, the call and the webhook with the id of their trace, and nothing of anybody', () => {
  const lines = logged.map((text) => JSON.parse(text) as Record<string, unknown>);
  for (const event of ['request', 'call', 'webhook']) {
    const found = lines.filter((line) => line.event === event);
    expect(found, event).toHaveLength(1);
    expect(found[0]).toMatchObject({ traceId: CALLER.traceId });
  }
  const all = logged.join('') + JSON.stringify(spans);
  for (const secret of SECRETS) expect(all).not.toContain(secret);
});

it('asks models in the trace of the call, for its answers and for its analysis', async () => {
  const asked: IncomingMessage['headers'][] = [];
  const baseUrl = await listen((request) => asked.push(request.headers));
  const languageModel = createOpenAiLanguageModel({ apiKey: 'sk-test', baseUrl, model: 'model' });
  const tracer = { isOn: true, record() {}, stop: async () => {} };
  const modelled = await startTestRuntime({ worker: true, overrides: { tracer, languageModel } });
  try {
    const own = await seedLine(modelled.db, 'modelled');
    await addKey(modelled, own.actor.workspaceId, `${KEY}_2`);
    await callRoute(QUEUE_CALL, {
      body: { from: own.number, to: SECRETS[1], variables: {} },
      headers: { 'x-api-key': `${KEY}_2`, traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01` },
    });
    const ended = () =>
      queryRows(
        modelled.db,
        sql`select id from calls where workspace_id = 'ws_modelled' and status = 'ended'`,
      );
    await expect.poll(async () => (await ended()).length, { timeout: 20_000 }).toBe(1);
    expect(asked.length).toBeGreaterThan(1);
    const told = asked.map(({ traceparent }) => String(traceparent).split('-').slice(0, 2));
    expect(new Set(told.map(([, traceId]) => traceId))).toEqual(new Set([CALLER.traceId]));
  } finally {
    await modelled.close();
  }
});
