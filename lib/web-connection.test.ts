import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect as connectTcp } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { WebConnection } from '#lib/ports/web-connection.ts';
import { refuseConnection, refuseUpgrade, upgradeConnection } from './web-connection.ts';

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

it('keeps no connection that was refused, although the far end says nothing more', async () => {
  const held = new Set<unknown>();
  let told = 0;
  const allTold = Promise.withResolvers<void>();
  const count = (text: string) => {
    told += /"refused"|HTTP.1.1 4/.test(text) ? 1 : 0;
    if (told === CLIENTS) allTold.resolve();
  };
  const refuse = (index: number, connection: WebConnection) =>
    index % 10 === 0 ? refuseUpgrade(connection.socket, 404) : refuseConnection(connection, 4404, 'Over');
  const server = createServer().listen(0, '127.0.0.1');
  server.on('upgrade', ({ method = 'GET', url = '/', headers }, socket, head) => {
    held.add(socket.on('error', () => undefined).on('close', () => held.delete(socket)));
    void refuse(held.size, { request: { method, url, headers }, socket, head });
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const CLIENTS = 300;
  const clients = Array.from({ length: CLIENTS }, () => {
    const client = connectTcp({ port, host: '127.0.0.1', allowHalfOpen: true });
    client.on('error', () => undefined).on('data', (data) => count(data.toString()));
    client.write(
      'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    return client;
  });
  onTestFinished(() => {
    for (const client of clients) client.destroy();
    server.close();
  });
  await allTold.promise;
  // 200 of them are told as WebSockets, and the others by a status.
  await vi.waitFor(() => expect(held.size).toBe(0), { timeout: 8_000 });
});
