import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { createWorkerServer } from './worker-http.ts';

let runtime: TestRuntime;
let server: Server;
let address = '';

beforeAll(async () => {
  runtime = await startTestRuntime();
  server = createWorkerServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await runtime.close();
});

it('a process that only works on calls says how it is, and has no other page', async () => {
  const health = await fetch(`${address}/api/health`);
  expect(await health.json()).toMatchObject({ data: { status: 'ok' } });
  expect((await fetch(`${address}/api/ready`)).status).toBe(200);
  expect((await fetch(`${address}/api/health`, { method: 'POST', body: 'x' })).status).toBe(404);
  const unknown = await fetch(`${address}/api/conversations`);
  expect([unknown.status, unknown.headers.get('x-request-id')]).toEqual([
    404,
    expect.stringMatching(/^req_/),
  ]);
});
