import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { Resolvers } from './resolve.ts';
import { createSender, type OutgoingRequest } from './sender.ts';
import { makeCertificate } from './testing-certificates.ts';

const open: Server[] = [];
const sockets = new Set<Socket>();

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all(open.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  server.on('connection', (socket) => sockets.add(socket));
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

const receiver = (listener: (...given: Parameters<RequestListener>) => unknown) =>
  listen(createHttpServer((request, response) => void listener(request, response)));
const rawReceiver = (onSocket: (socket: Socket) => void) =>
  listen(
    createTcpServer((socket) => {
      socket.on('error', () => {});
      onSocket(socket);
    }),
  );

const post = (url: string, body = '{"a":1}'): OutgoingRequest => ({
  url,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: new TextEncoder().encode(body),
});

const forbiddenResolvers: Resolvers = {
  dns: () => Promise.reject(new Error('no resolver may be asked')),
  system: () => Promise.reject(new Error('no resolver may be asked')),
};

/** Everything on the loopback is allowed, and no name may be resolved. */
const local = (options: Partial<Parameters<typeof createSender>[0]> = {}) =>
  createSender({ allowlist: ['127.0.0.0/8'], resolvers: forbiddenResolvers, ...options });

const soon = { budgetMs: 250 };
const readAll = async (request: IncomingMessage) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
};

describe('a request', () => {
  it('arrives byte for byte, and its answer comes back', async () => {
    let seen:
      | {
          method: string | undefined;
          url: string | undefined;
          headers: IncomingMessage['headers'];
          body: Buffer;
        }
      | undefined;
    const port = await receiver(async (request, response) => {
      seen = {
        method: request.method,
        url: request.url,
        headers: request.headers,
        body: await readAll(request),
      };
      response.writeHead(202, { 'x-seen': ['one', 'two'] }).end('thanks');
    });
    const body = '{"text":"Grüße \u{1f4de} \\u0000"}';
    const outcome = await local().send(post(`http://127.0.0.1:${port}/hook?token=a%20b`, body));
    expect(outcome).toMatchObject({
      resolvedIp: '127.0.0.1',
      failure: undefined,
      answer: { status: 202, isTruncated: false },
    });
    expect(outcome.answer?.headers['x-seen']).toBe('one, two');
    expect(new TextDecoder().decode(outcome.answer?.body)).toBe('thanks');
    expect(seen).toMatchObject({ method: 'POST', url: '/hook?token=a%20b' });
    expect(seen?.body.toString()).toBe(body);
    expect(seen?.headers).toMatchObject({
      host: `127.0.0.1:${port}`,
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    });
  });

  it('never uses a socket twice', async () => {
    const ports = new Set<number | undefined>();
    const port = await receiver((request, response) => {
      ports.add(request.socket.remotePort);
      response.writeHead(200, { connection: 'keep-alive' }).end();
    });
    const sender = local();
    for (let count = 0; count < 5; count++) await sender.send(post(`http://127.0.0.1:${port}/`));
    expect(ports.size).toBe(5);
  });

  it('ignores proxies of the environment', async () => {
    let proxied = 0;
    const proxy = await receiver((_, response) => {
      proxied++;
      response.end();
    });
    const port = await receiver((_, response) => response.end('direct'));
    const names = [
      'http_proxy',
      'HTTP_PROXY',
      'https_proxy',
      'HTTPS_PROXY',
      'ALL_PROXY',
      'NODE_USE_ENV_PROXY',
    ];
    const before = names.map((name) => process.env[name]);
    for (const name of names)
      process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : `http://127.0.0.1:${proxy}`;
    try {
      const outcome = await local().send(post(`http://127.0.0.1:${port}/`));
      expect(new TextDecoder().decode(outcome.answer?.body)).toBe('direct');
      expect(proxied).toBe(0);
    } finally {
      for (const [index, name] of names.entries()) {
        if (before[index] === undefined) delete process.env[name];
        else process.env[name] = before[index];
      }
    }
  });
});

describe('the address', () => {
  it.each([
    'http://127.0.0.1:9/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://2130706433/',
    'https://[::ffff:127.0.0.1]/',
    'https://localhost/',
  ])('of %s is refused before anything is connected', async (url) => {
    const outcome = await createSender({ allowlist: [], resolvers: forbiddenResolvers }).send(post(url));
    expect(outcome).toMatchObject({ resolvedIp: undefined, answer: undefined, failure: { kind: 'refused' } });
  });

  it.each([['127.0.0.1'], ['93.184.215.14', '169.254.169.254'], ['::1'], ['::ffff:10.0.0.1']])(
    'is refused when a resolver answers %s %s',
    async (...answers) => {
      const resolvers = { dns: () => Promise.resolve(answers), system: () => Promise.resolve(answers) };
      const outcome = await createSender({ allowlist: [], resolvers }).send(
        post('https://hooks.example.com/'),
      );
      expect(outcome).toMatchObject({ resolvedIp: undefined, failure: { kind: 'refused' } });
      expect(outcome.failure?.reason).toContain('hooks.example.com leads to an address that is refused');
    },
  );

  it('that was checked is the one that is connected to, though the resolver lies the second time', async () => {
    const hosts: (string | undefined)[] = [];
    const good = await receiver((request, response) => {
      hosts.push(request.headers.host);
      response.end('good');
    });
    let asked = 0;
    const lying = () => Promise.resolve(++asked === 1 ? ['127.0.0.1'] : ['10.0.0.1']);
    const sender = createSender({
      allowlist: [`127.0.0.1:${good}`],
      resolvers: { dns: lying, system: lying },
    });
    const outcome = await sender.send(post(`http://rebinding.example.com:${good}/`));
    expect(outcome).toMatchObject({ resolvedIp: '127.0.0.1', answer: { status: 200 } });
    expect(hosts).toEqual([`rebinding.example.com:${good}`]);
    expect(asked).toBe(1);
    expect(await sender.send(post(`http://rebinding.example.com:${good}/`))).toMatchObject({
      failure: { kind: 'refused' },
    });
  });

  it('is tried one after the other while nothing was sent', async () => {
    const port = await receiver((_, response) => response.end());
    const resolvers = { ...forbiddenResolvers, system: () => Promise.resolve(['127.0.0.9', '127.0.0.1']) };
    const outcome = await local({ resolvers }).send(post(`http://receiver.example.com:${port}/`));
    expect(outcome).toMatchObject({ resolvedIp: '127.0.0.1', answer: { status: 200 } });
  });

  it('of a name nobody knows is a failure with a sentence', async () => {
    const unknown = () => Promise.reject(new Error('ENOTFOUND'));
    const outcome = await createSender({ allowlist: [], resolvers: { dns: unknown, system: unknown } }).send(
      post('https://gone.example.com/'),
    );
    expect(outcome.failure).toEqual({
      kind: 'unresolved',
      reason: 'The name could not be resolved: gone.example.com has no address.',
    });
  });

  it('of a name whose resolver never answers ends with the budget', async () => {
    const never = () => new Promise<string[]>(() => {});
    const outcome = await createSender({
      allowlist: [],
      resolvers: { dns: never, system: never },
      ...soon,
    }).send(post('https://slow.example.com/'));
    expect(outcome.failure).toEqual({
      kind: 'timeout',
      reason: 'No complete answer came within 0.25 seconds.',
    });
  });
});

describe('an answer', () => {
  it('that redirects is not followed', async () => {
    let followed = 0;
    const inside = await receiver((_, response) => {
      followed++;
      response.end();
    });
    for (const status of [301, 302, 303, 307, 308]) {
      const port = await receiver((_, response) =>
        response.writeHead(status, { location: `http://127.0.0.1:${inside}/` }).end(),
      );
      expect(await local().send(post(`http://127.0.0.1:${port}/`))).toMatchObject({
        failure: undefined,
        answer: { status },
      });
    }
    expect(followed).toBe(0);
  });

  it('without an end is read up to 64 KiB', async () => {
    let written = 0;
    const port = await receiver((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384, 'x'))) written += 16_384;
      };
      response.on('drain', more);
      more();
    });
    const outcome = await local().send(post(`http://127.0.0.1:${port}/`));
    expect(outcome).toMatchObject({ failure: undefined, answer: { status: 200, isTruncated: true } });
    expect(outcome.answer?.body.byteLength).toBe(65_536);
    expect(written).toBeLessThan(50_000_000);
  });

  it('of exactly 64 KiB is complete', async () => {
    const port = await receiver((_, response) => response.end(Buffer.alloc(65_536, 'x')));
    const outcome = await local().send(post(`http://127.0.0.1:${port}/`));
    expect(outcome.answer).toMatchObject({ isTruncated: false });
    expect(outcome.answer?.body.byteLength).toBe(65_536);
  });

  it('that is compressed stays compressed', async () => {
    const bomb = gzipSync(Buffer.alloc(40_000_000));
    expect(bomb.byteLength).toBeLessThan(65_536);
    const port = await receiver((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    const outcome = await local().send(post(`http://127.0.0.1:${port}/`));
    expect(Buffer.from(outcome.answer?.body ?? []).equals(bomb)).toBe(true);
  });

  it.each<[string, (response: ServerResponse) => void, number | undefined]>([
    ['never begins', () => {}, undefined],
    ['stops after its headers', (response) => response.flushHeaders(), 200],
    [
      'drips',
      (response) => {
        const timer = setInterval(() => response.write('.'), 20);
        response.on('close', () => clearInterval(timer));
      },
      200,
    ],
  ])('that %s ends with the budget', async (_, answer, status) => {
    const port = await receiver((_request, response) => answer(response));
    const outcome = await local(soon).send(post(`http://127.0.0.1:${port}/`));
    expect(outcome.failure).toEqual({
      kind: 'timeout',
      reason: 'No complete answer came within 0.25 seconds.',
    });
    expect(outcome.answer?.status).toBe(status);
    expect(outcome.durationMs).toBeGreaterThanOrEqual(240);
    expect(outcome.durationMs).toBeLessThan(2000);
  });

  it('whose headers drip ends with the budget', async () => {
    const port = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await local(soon).send(post(`http://127.0.0.1:${port}/`))).toMatchObject({
      failure: { kind: 'timeout' },
      answer: undefined,
    });
  });

  it('made of interim answers without end ends with the budget', async () => {
    const port = await rawReceiver((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 10);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await local(soon).send(post(`http://127.0.0.1:${port}/`))).toMatchObject({
      failure: { kind: 'timeout' },
    });
  });

  it.each<[string, (socket: Socket) => void, string]>([
    ['is a reset', (socket) => socket.once('data', () => socket.resetAndDestroy()), 'connection'],
    ['is a closed connection', (socket) => socket.once('data', () => socket.end()), 'connection'],
    [
      'breaks off',
      (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')),
      'connection',
    ],
    ['is not HTTP', (socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.6\r\n')), 'protocol'],
    [
      'has headers without end',
      (socket) =>
        socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\nX: ${'y'.repeat(100_000)}\r\n\r\n`)),
      'protocol',
    ],
    [
      'changes the protocol',
      (socket) =>
        socket.once('data', () =>
          socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
        ),
      'protocol',
    ],
  ])('that %s is a failure with a sentence', async (_, onSocket, kind) => {
    const port = await rawReceiver(onSocket);
    const outcome = await local({ budgetMs: 5000 }).send(post(`http://127.0.0.1:${port}/`));
    expect(outcome.failure).toMatchObject({ kind, reason: expect.stringMatching(/^[A-Z].*\.$/) });
  });

  it('of a port where nobody listens is a failure with a sentence', async () => {
    const port = await receiver(() => {});
    await new Promise((resolve) => open.splice(0)[0]?.close(resolve));
    expect(await local().send(post(`http://127.0.0.1:${port}/`))).toMatchObject({
      resolvedIp: '127.0.0.1',
      failure: { kind: 'connection', reason: 'The receiver refused the connection.' },
    });
  });
});

describe('https', () => {
  const day = 86_400_000;
  const valid = { validFrom: new Date('2020-01-01'), validUntil: new Date('2120-01-01') };
  const secureReceiver = async (certificate: { key: string; cert: string }) => {
    const names: (string | false | undefined)[] = [];
    const server = createHttpsServer(certificate, (_, response) => response.end('secure'));
    server.on('secureConnection', (socket: Socket & { servername?: string | false }) =>
      names.push(socket.servername),
    );
    return { port: await listen(server), names };
  };
  const toLoopback: Resolvers = { ...forbiddenResolvers, dns: () => Promise.resolve(['127.0.0.1']) };

  it('verifies the certificate for the name while it connects to the checked address', async () => {
    const certificate = makeCertificate({ names: ['hooks.example.com'], ...valid });
    const { port, names } = await secureReceiver(certificate);
    const sender = local({ resolvers: toLoopback, trust: { ca: certificate.cert } });
    const outcome = await sender.send(post(`https://hooks.example.com:${port}/`));
    expect(outcome).toMatchObject({ resolvedIp: '127.0.0.1', failure: undefined, answer: { status: 200 } });
    expect(names).toEqual(['hooks.example.com']);
  });

  it('verifies the certificate for an address', async () => {
    const certificate = makeCertificate({ names: [], addresses: ['127.0.0.1'], ...valid });
    const { port } = await secureReceiver(certificate);
    expect(
      await local({ trust: { ca: certificate.cert } }).send(post(`https://127.0.0.1:${port}/`)),
    ).toMatchObject({ answer: { status: 200 } });
  });

  it.each([
    [
      'for another name',
      { names: ['other.example.com'], ...valid },
      true,
      'The certificate of the receiver is for another name.',
    ],
    [
      'that has expired',
      { names: ['hooks.example.com'], validFrom: new Date(0), validUntil: new Date(day) },
      true,
      'The certificate of the receiver has expired.',
    ],
    [
      'of an unknown authority',
      { names: ['hooks.example.com'], ...valid },
      false,
      'The certificate of the receiver is signed by itself and not by an authority.',
    ],
  ])(
    'refuses a certificate %s, even when the environment says otherwise',
    async (_, given, isTrusted, reason) => {
      const certificate = makeCertificate(given);
      const { port } = await secureReceiver(certificate);
      const sender = local({
        resolvers: toLoopback,
        ...(isTrusted ? { trust: { ca: certificate.cert } } : {}),
      });
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
      try {
        const outcome = await sender.send(post(`https://hooks.example.com:${port}/`));
        expect(outcome).toMatchObject({ answer: undefined, failure: { kind: 'certificate', reason } });
      } finally {
        delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      }
    },
  );

  it('fails where the receiver speaks plain http, and where its handshake hangs', async () => {
    const plain = await receiver((_, response) => response.end());
    expect(await local().send(post(`https://127.0.0.1:${plain}/`))).toMatchObject({
      failure: { kind: 'connection' },
    });
    const silent = await rawReceiver(() => {});
    expect(await local(soon).send(post(`https://127.0.0.1:${silent}/`))).toMatchObject({
      failure: { kind: 'timeout' },
    });
  });
});
