import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { upgradeConnection } from './web-connection.ts';

async function connect() {
  const server = createServer();
  const upgraded = Promise.withResolvers<WebSocket>();
  server.on('upgrade', ({ method = 'GET', url = '/', headers }, socket, head) =>
    upgraded.resolve(upgradeConnection({ request: { method, url, headers }, socket, head })),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => {
    client.terminate();
    server.close();
  });
  await once(client, 'open');
  return { client, socket: await upgraded.promise };
}

it('takes half a minute of sound that a network held back', async () => {
  const { client, socket } = await connect();
  const frames = 30 * 50;
  let heard = 0;
  const all = new Promise<void>((resolve) =>
    socket.on('message', () => {
      heard += 1;
      if (heard === frames) resolve();
    }),
  );
  for (let frame = 0; frame < frames; frame += 1) client.send(new Uint8Array(640));
  await all;
  expect(client.readyState).toBe(WebSocket.OPEN);
});

it.each([
  { what: 'messages', count: 20_000, bytes: 20 },
  { what: 'bytes', count: 100, bytes: 60_000 },
])(
  'closes a connection that brings too many $what, and hands on no more of them',
  async ({ count, bytes }) => {
    const { client, socket } = await connect();
    let heard = 0;
    socket.on('message', () => (heard += 1));
    for (let sent = 0; sent < count; sent += 1) client.send(new Uint8Array(bytes));
    const [code] = (await once(client, 'close')) as [number];
    expect(code).toBe(1008);
    expect(heard).toBeGreaterThan(0);
    expect(heard).toBeLessThan(count / 2);
  },
);
