import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepConnections, letConnectionsGo } from './keep-alive.ts';
import { closeStalledConnections } from './request-bodies.ts';

let server: Server;
let agent: Agent;
/** Resolves a request that waits for its answer. */
let answerSlow: () => void;

beforeEach(async () => {
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
  server = createServer((request, response) => {
    response.writeHead(200);
    if (request.url === '/slow') {
      response.write('so far');
      answerSlow = () => response.end();
    } else response.end('done');
  });
  closeStalledConnections(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => {
  agent.destroy();
  server.closeAllConnections();
  server.close();
});

async function ask(
  path = '/',
): Promise<{ answer: IncomingMessage; socket: Socket; whole: Promise<unknown> }> {
  const { port } = server.address() as AddressInfo;
  const [answer] = (await once(get({ port, path, agent }), 'response')) as [IncomingMessage];
  return { answer, socket: answer.socket, whole: once(answer.resume(), 'end') };
}

it('keeps a connection as long as it tells the far end, and closes it then', async () => {
  keepConnections(server, 75_000);
  const { answer, whole } = await ask();
  await whole;
  expect(answer.headers['keep-alive']).toBe('timeout=75');
  keepConnections(server, 10);
  const last = await ask();
  const closed = once(last.socket, 'close');
  await last.whole;
  await closed;
});

it('lets connections go before a stop: idle ones at once, those with a request after its answer', async () => {
  keepConnections(server, 75_000);
  const idle = await ask();
  await idle.whole;
  const gone = once(idle.socket, 'close');
  letConnectionsGo(server);
  await gone;
  const next = await ask();
  expect(next.answer.headers.connection).toBe('close');
  await next.whole;
});

it('lets the connection of an answer go that was under way at the stop', async () => {
  keepConnections(server, 75_000);
  const slow = await ask('/slow');
  letConnectionsGo(server);
  const gone = once(slow.socket, 'close');
  answerSlow();
  await slow.whole;
  await gone;
});
