import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Asked = { method: string; url: string; headers: IncomingMessage['headers']; body: string };

/** Somebody's server, on the loopback: answers as it is told, and remembers what it was asked. */
export async function startServer(
  answer: (asked: Asked, response: ServerResponse) => unknown,
): Promise<{ address: string; asked: Asked[]; close(): Promise<void> }> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(parts).toString() };
      asked.push(one);
      void answer(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
