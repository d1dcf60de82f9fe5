import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// The far end, in a process of its own: answers 200 after HOLD_MS and never under /hang. A GET answers when each
// conversation arrived, and how often.
const holdMs = Number(process.env.HOLD_MS ?? 20);
const arrivals = new Map<string, number[]>();

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify([...arrivals]));
    return;
  }
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    if (request.url === '/hang') return;
    const { conversationId } = JSON.parse(Buffer.concat(parts).toString()) as { conversationId: string };
    arrivals.set(conversationId, [...(arrivals.get(conversationId) ?? []), Date.now()]);
    setTimeout(() => response.end('ok'), holdMs);
  });
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
