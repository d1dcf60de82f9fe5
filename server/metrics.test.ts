import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPrometheusMetrics } from '#lib/adapters/metrics/prometheus.ts';
import { seedLine } from '#lib/features/calls/testing.ts';
import { readBacklog } from '#lib/features/status/repository.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { createWorkerServer } from './worker-http.ts';

const TOKEN = 'a token of the operator';
let runtime: TestRuntime;
let server: Server;
let address: string;

beforeAll(async () => {
  const { metrics, readFrom } = createPrometheusMetrics({ version: 'test', commit: null, role: 'all' });
  runtime = await startTestRuntime({
    worker: true,
    env: { METRICS_TOKEN: TOKEN },
    overrides: { metrics },
  });
  readFrom({
    backlog: async () => ({ ...(await readBacklog(runtime.db)), databaseConnections: {} }),
    conversationProcesses: () => ({ wanted: 0, ready: 0 }),
    conversations: () => 0,
  });
  server = createWorkerServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`;
});
afterAll(async () => {
  server.close();
  await runtime.close();
});

const ask = (authorization?: string, method = 'GET') =>
  fetch(address, { method, ...(authorization ? { headers: { authorization } } : {}) });

it('gives the figures to who has the token, and to nobody else', async () => {
  expect((await ask()).status).toBe(401);
  expect((await ask('Bearer a token of a stranger')).status).toBe(401);
  expect((await ask(`Bearer ${TOKEN}`, 'POST')).status).toBe(404);
  const answer = await ask(`Bearer ${TOKEN}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
});

it('counts a call, its webhook and what is open, without naming anybody', async () => {
  const line = await seedLine(runtime.db, 'figures', {
    workspace: { webhookUrl: 'https://127.0.0.1/calls' },
  });
  const to = parsePhoneNumber('+15550004401');
  const { conversationId } = await runtime.calls.queueOutbound(line.actor, {
    from: line.number,
    to,
    variables: { name: 'Ann' },
  });
  const text = async () => (await ask(`Bearer ${TOKEN}`)).text();
  await expect
    .poll(text, { timeout: 20_000 })
    .toMatch(/callwright_webhooks_total\{kind="call",outcome="no_answer"\} 1/);
  const figures = await text();
  expect(figures).toContain(
    'callwright_calls_ended_total{direction="OUTBOUND",channel="call",carrier="simulated",outcome="APPOINTMENT_BOOKED"} 1',
  );
  expect(figures).toContain('callwright_calls{state="queued"} 0');
  expect(figures).toContain('callwright_calls_due 0');
  for (const secret of [conversationId, line.actor.workspaceId, to, line.number, 'Ann'])
    expect(figures).not.toContain(secret);
});
