import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { AppError } from '#lib/errors.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { takeUpgrades, type Upgrade } from './upgrades.ts';
import { createWorkerServer } from './worker-http.ts';

let runtime: TestRuntime;
let server: Server;
let address = '';
const sockets = new WebSocketServer({ noServer: true });

async function take({ request, url, socket, head }: Upgrade): Promise<void> {
  if (url.searchParams.get('key') !== 'right') throw new AppError('UNAUTHORIZED', 'Sign in first');
  sockets.handleUpgrade(request, socket, head, (connected) => connected.send('welcome'));
}

beforeAll(async () => {
  runtime = await startTestRuntime();
  server = createWorkerServer();
  takeUpgrades(server, { doors: [{ path: '/api/media', take }], log: runtime.log });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  for (const client of sockets.clients) client.terminate();
  server.close();
  await runtime.close();
});

/** What a client that asks for a connection is told: its first message, or the status of the refusal. */
async function knock(path: string): Promise<string> {
  const client = new WebSocket(`ws://${address}${path}`);
  return new Promise((resolve) => {
    client.on('message', (data: Buffer) => resolve(data.toString()));
    client.on('unexpected-response', (_request, response) => resolve(String(response.statusCode)));
    client.on('error', () => undefined);
  });
}

it('a process that only works on calls says how it is, and has no other page', async () => {
  const health = await fetch(`http://${address}/api/health`);
  expect(await health.json()).toMatchObject({ data: { status: 'ok' } });
  expect((await fetch(`http://${address}/api/ready`)).status).toBe(200);
  expect((await fetch(`http://${address}/api/health`, { method: 'POST', body: 'x' })).status).toBe(404);
  expect((await fetch(`http://${address}/api/conversations`)).status).toBe(404);
});

it('takes connections on the paths that exist, from those who may come in', async () => {
  expect(await knock('/api/media?key=right')).toBe('welcome');
  expect(await knock('/api/media?key=wrong')).toBe('401');
  expect(await knock('/api/elsewhere')).toBe('404');
  expect(await knock('//')).toBe('404');
});
