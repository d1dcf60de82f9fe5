import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSender } from '#lib/outgoing/sender.ts';
import { fetchInTrace, tellTrace } from './outgoing.ts';

const TRACE = {
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: '00f067aa0ba902b7',
  isSampled: true,
};
const TOLD = `00-${TRACE.traceId}-${TRACE.spanId}-01`;

const heard: IncomingMessage['headers'][] = [];
const server = createServer((request, response) => {
  heard.push(request.headers);
  response.end();
});
let url = '';

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => server.close());

const sender = createSender({ allowlist: ['127.0.0.1'] });
const send = (headers: Record<string, string>) =>
  sender.send({ url, method: 'GET', headers, body: new Uint8Array() });

async function saidBy(work: () => Promise<unknown>): Promise<unknown> {
  await work();
  return heard.at(-1)?.traceparent;
}

it('requests of tools and models tell of the trace that they are sent in', async () => {
  const fetched = () => fetchInTrace(url, { headers: { authorization: 'Bearer x' } });
  expect(await saidBy(() => tellTrace(TRACE, () => send({})))).toBe(TOLD);
  expect(await saidBy(() => tellTrace(TRACE, fetched))).toBe(TOLD);
  expect(heard.at(-1)?.authorization).toBe('Bearer x');
});

it('outside of a trace, and where nobody collects traces, they tell nothing', async () => {
  expect(await saidBy(() => send({}))).toBeUndefined();
  expect(await saidBy(() => fetchInTrace(url))).toBeUndefined();
  expect(await saidBy(() => tellTrace(undefined, () => send({})))).toBeUndefined();
});

it('leaves a header of that name that somebody has configured', async () => {
  expect(await saidBy(() => tellTrace(TRACE, () => send({ Traceparent: 'own' })))).toBe('own');
});
