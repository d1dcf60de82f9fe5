import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { MOST_MESSAGE_BYTES } from './message.ts';
import { createStreamReader, openStreams, type StreamEndpoint } from './transport-stream.ts';

const HOST = '127.0.0.1';
const message = (body = '', length = Buffer.byteLength(body)) =>
  `OPTIONS sip:a@b SIP/2.0\r\nCSeq: 1 OPTIONS\r\nContent-Length: ${length}\r\n\r\n${body}`;

/** What a stream is cut into when it comes in pieces of this size. */
function cut(text: string, pieceBytes: number) {
  const found: string[] = [];
  let pings = 0;
  const reader = createStreamReader({
    onMessage: (bytes) => found.push(bytes.toString()),
    onPing: () => (pings += 1),
  });
  const bytes = Buffer.from(text);
  let state = 'between';
  for (let at = 0; at < bytes.length && state !== 'broken'; at += pieceBytes)
    state = reader.read(bytes.subarray(at, at + pieceBytes));
  return { found, pings, state };
}

describe('a stream of messages', () => {
  it.each([1, 2, 3, 7, 100, 100_000])('is cut right in pieces of %i bytes', (pieceBytes) => {
    const all = [message(), message('hello'), message('\r\n\r\nINVITE sip:x SIP/2.0\r\n\r\n'), message('é')];
    expect(cut(all.join(''), pieceBytes)).toEqual({ found: all, pings: 0, state: 'between' });
  });

  it('answers a ping between two of them', () => {
    const { found, pings } = cut(`${message()}\r\n\r\n${message('x')}`, 1_000);
    expect({ found: found.length, pings }).toEqual({ found: 2, pings: 1 });
  });

  it.each([
    ['a head without an end', 'x'.repeat(MOST_MESSAGE_BYTES + 1)],
    ['headers without an end', `OPTIONS sip:a@b SIP/2.0\r\n${'X: y\r\n'.repeat(20_000)}`],
    ['a length beyond all bounds', message('', 99_999_999)],
    ['a length below nothing', message('', -1)],
    ['two lengths', message().replace('CSeq', 'Content-Length: 7\r\nCSeq')],
    ['no start line', 'hello\r\n\r\n'],
  ])('is broken by %s, in pieces of any size', (_, text) => {
    for (const pieceBytes of [1, 50, 100_000])
      expect(cut(text, pieceBytes)).toMatchObject({ found: [], state: 'broken' });
  });

  it('waits for a body that is shorter than it says, and takes what follows for it', () => {
    const state = cut(message('short', 400), 10);
    expect(state).toMatchObject({ found: [], state: 'inside' });
    const smuggled = message('', 20) + message();
    expect(cut(smuggled, 10).found).toHaveLength(1);
  });
});

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function open(options: Partial<StreamEndpoint> = {}) {
  const heard: string[] = [];
  const listener = await openStreams({
    protocol: 'tcp',
    address: HOST,
    port: 0,
    localFor: () => ({ address: HOST, port: 0 }),
    isWelcome: () => true,
    onBytes: (bytes) => heard.push(bytes.toString()),
    onFailed: () => undefined,
    ...options,
  });
  closing.push(() => listener.close());
  return { heard, port: listener.port };
}

/** Somebody who connects; `gone` resolves when the connection is closed. */
async function join(port: number): Promise<Socket & { gone: Promise<unknown> }> {
  const socket = connect(port, HOST);
  const gone = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => undefined).resume();
  await once(socket, 'connect');
  return Object.assign(socket, { gone });
}

describe('a connection', () => {
  it('is closed where its message does not end in time, though its bytes go on dripping', async () => {
    const { port } = await open({ messageTimeoutMs: 60 });
    const socket = await join(port);
    const drip = setInterval(() => socket.write('x'), 5);
    await socket.gone;
    clearInterval(drip);
  });

  it('is closed where it says nothing at all', async () => {
    const { port } = await open({ messageTimeoutMs: 30 });
    await (
      await join(port)
    ).gone;
  });

  it('stays open after a whole message', async () => {
    const { port, heard } = await open({ messageTimeoutMs: 40 });
    const [quiet, good] = [await join(port), await join(port)];
    good.write(message());
    // The quiet one began first, and its time is over.
    await quiet.gone;
    good.write(message('again'));
    await expect.poll(() => heard).toHaveLength(2);
  });

  it('that is one too many takes the place of the one that was quiet for longest', async () => {
    const { port, heard } = await open({ mostConnections: 3 });
    const first = await join(port);
    const others = [await join(port), await join(port)];
    first.write(message());
    await expect.poll(() => heard).toHaveLength(1);
    const last = await join(port);
    last.write(message());
    await others[0]?.gone;
    first.write(message());
    await expect.poll(() => heard).toHaveLength(3);
  });

  it('of a stranger is closed without a word', async () => {
    const { port, heard } = await open({ isWelcome: () => false });
    const socket = await join(port);
    socket.write(message());
    await socket.gone;
    expect(heard).toEqual([]);
  });
});
