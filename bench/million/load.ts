import { connect } from 'node:net';

export type Load = { answers: number; perSecond: number };

/**
 * Asks for one address over `connections` kept open, each with one request at a time, for `ms`. It reads no more of an
 * answer than its length: a client that parsed it would take the processor that the service needs.
 */
export async function askFor(
  { port, path, key }: { port: number; path: string; key?: string },
  { ms, connections = 16 }: { ms: number; connections?: number },
): Promise<Load> {
  const request = Buffer.from(
    `GET ${path} HTTP/1.1\r\nhost: localhost:${port}\r\n${key ? `x-api-key: ${key}\r\n` : ''}\r\n`,
  );
  let answers = 0;
  const startedAt = performance.now();
  const until = startedAt + ms;
  await Promise.all(
    Array.from({ length: connections }, () => askOver(port, request, until, () => (answers += 1))),
  );
  return { answers, perSecond: (answers * 1_000) / (performance.now() - startedAt) };
}

function askOver(port: number, request: Buffer, until: number, onAnswer: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let missing = -1;
    let head = '';
    const send = () => {
      if (performance.now() >= until) {
        socket.end();
        resolve();
        return;
      }
      [missing, head] = [-1, ''];
      socket.write(request);
    };
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('data', (bytes) => {
      let body = bytes.length;
      if (missing < 0) {
        head += bytes.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        const length = /content-length: (\d+)/i.exec(head)?.[1];
        if (!head.startsWith('HTTP/1.1 200') || length === undefined) {
          socket.destroy();
          reject(new Error(`No answer of a known length: ${head.slice(0, 300)}`));
          return;
        }
        body = head.length - end - 4;
        missing = Number(length);
      }
      missing -= body;
      if (missing > 0) return;
      onAnswer();
      send();
    });
  });
}
