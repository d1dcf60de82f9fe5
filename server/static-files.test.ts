import { request as sendRequest, type IncomingHttpHeaders, type Server } from 'node:http';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '#lib/errors.ts';
import { createLogger } from '#lib/log.ts';
import { countingIds } from '#lib/ports/testing.ts';
import { noMetrics } from '#lib/ports/metrics.ts';
import { createHttpServer } from './http.ts';
import { compressStaticFiles, createStaticFiles, staticFolders } from './static-files.ts';

const SCRIPT = 'export const words = "one and the same words";\n'.repeat(400);
const CHUNK = '/_next/static/chunks/one.js';

let root: string;
let server: Server;
const countedAs: (string | undefined)[] = [];
const askedOfNext: string[] = [];
let isAtLimit = false;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'static-files-'));
  const folders = staticFolders(root, 'build');
  await write('build/static/chunks/one.js', SCRIPT);
  await write('build/static/chunks/gone.js', SCRIPT);
  await write('build/static/media/mark.woff2', 'w'.repeat(4_000));
  await write('build/secret.js', SCRIPT);
  await write('public/widget/v1.js', SCRIPT);
  await write('public/short.js', 'a()');
  await write('public/favicon.ico', 'icon');
  await compressStaticFiles(folders, 0o022);
  server = createHttpServer({
    figures: { metrics: noMetrics, token: undefined },
    handle: async (request, response) => {
      askedOfNext.push(request.url ?? '');
      response.writeHead(404, { 'content-type': 'text/plain', 'content-length': 9 }).end('Not Found');
    },
    isPage: (pathname) =>
      pathname.startsWith('/_next/static/') || ['/widget/v1.js', '/favicon.ico'].includes(pathname),
    staticFiles: await createStaticFiles(folders),
    publicUrl: 'http://localhost:3000',
    development: false,
    trustedProxies: [],
    rateLimiter: {
      take: async (_key, _what, kind) => {
        countedAs.push(kind);
        if (isAtLimit) throw new AppError('RATE_LIMITED', 'too many', { retryAfterSeconds: 7 });
      },
    },
    ids: countingIds(),
    log: createLogger('silent'),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(root, { recursive: true });
});

async function write(path: string, content: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), content);
}

type Answer = { status: number | undefined; headers: IncomingHttpHeaders; body: Buffer };

/** Unlike `fetch`, neither undoes `..` in a path nor what a body is encoded with. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    sendRequest({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) }),
      );
    })
      .on('error', reject)
      .end();
  });
}

test('a script is sent in the form that was compressed before, as the client takes it', async () => {
  const forms = {
    'gzip, deflate, br': ['br', brotliDecompressSync],
    'gzip, br;q=0': ['gzip', gunzipSync],
    identity: [undefined, (body: Buffer) => body],
  } as const;
  for (const [accepted, [encoding, decode]] of Object.entries(forms)) {
    const { status, headers, body } = await get(CHUNK, { 'accept-encoding': accepted });
    expect([status, headers['content-encoding']]).toEqual([200, encoding]);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-length': String(body.length),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
    expect(decode(body).toString()).toBe(SCRIPT);
    if (encoding) expect(body.length).toBeLessThan(SCRIPT.length / 10);
  }
  expect(askedOfNext).toEqual([]);
});

test('files are counted and headed as every other answer', async () => {
  countedAs.length = 0;
  const { headers } = await get(CHUNK, { 'accept-encoding': 'br' });
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['content-security-policy']).toContain("default-src 'self'");
  expect(countedAs).toEqual(['request']);
  isAtLimit = true;
  const refused = await get(CHUNK, { 'accept-encoding': 'br' });
  isAtLimit = false;
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '7']);
});

test('only what has a hash in its name is kept for good, and what is no text has one form', async () => {
  const widget = await get('/widget/v1.js', { 'accept-encoding': 'br' });
  expect([widget.headers['cache-control'], widget.headers['content-encoding']]).toEqual([
    'public, max-age=0',
    'br',
  ]);
  const font = await get('/_next/static/media/mark.woff2', { 'accept-encoding': 'br' });
  expect([font.status, font.headers['content-type'], font.headers['content-encoding']]).toEqual([
    200,
    'font/woff2',
    undefined,
  ]);
  expect(font.headers.vary).toBeUndefined();
  expect((await get('/favicon.ico')).headers['content-type']).toBe('image/x-icon');
});

test('HEAD, ranges and conditions are answered, each form with a tag of its own', async () => {
  const whole = await get(CHUNK, { 'accept-encoding': 'br' });
  const { etag = '' } = whole.headers;
  const head = await get(CHUNK, { 'accept-encoding': 'br' }, 'HEAD');
  expect([head.headers['content-length'], head.body.length]).toEqual([whole.headers['content-length'], 0]);
  expect((await get(CHUNK)).headers.etag).not.toBe(etag);
  const known = await get(CHUNK, { 'accept-encoding': 'br', 'if-none-match': `"another", ${etag}` });
  expect([known.status, known.body.length, known.headers.etag]).toEqual([304, 0, etag]);
  const first = await get(CHUNK, { range: 'bytes=0-0' });
  expect([first.status, first.headers['content-range'], first.body.toString()]).toEqual([
    206,
    `bytes 0-0/${SCRIPT.length}`,
    'e',
  ]);
  const last = await get(CHUNK, { range: 'bytes=-2' });
  expect([last.status, last.body.toString()]).toEqual([206, ';\n']);
  const beyond = await get(CHUNK, { range: `bytes=${SCRIPT.length}-`, 'accept-encoding': 'identity' });
  expect([beyond.status, beyond.headers['content-range'], beyond.headers['cache-control']]).toEqual([
    416,
    `bytes */${SCRIPT.length}`,
    undefined,
  ]);
});

test('what is no file of theirs is left to Next: no way leads out of the folders or to a copy', async () => {
  const paths = [
    '/_next/static/chunks/none.js',
    '/_next/static/chunks/one.js.br',
    '/_next/static/chunks',
    '/_next/static/../secret.js',
    '/_next/static/%2e%2e/secret.js',
    '/_next/static/..%2fsecret.js',
  ];
  for (const path of paths) {
    askedOfNext.length = 0;
    const { status, headers } = await get(path, { 'accept-encoding': 'br' });
    expect([status, headers['content-encoding']]).toEqual([404, undefined]);
    expect(askedOfNext).toEqual([path]);
  }
});

test('a file that a next build has taken away is left to Next as well', async () => {
  await rm(join(root, 'build/static/chunks/gone.js'));
  await rm(join(root, 'build/compressed/_next/static/chunks/gone.js.br'));
  for (const accepted of ['br', 'identity']) {
    const { status, headers } = await get('/_next/static/chunks/gone.js', { 'accept-encoding': accepted });
    expect([status, headers['content-type'], headers['content-encoding']]).toEqual([
      404,
      'text/plain',
      undefined,
    ]);
  }
});

test('the copies may be read by whoever may run the build, whatever the process keeps to itself', async () => {
  const own = process.umask(0o077);
  await write('other/static/one.js', SCRIPT);
  await compressStaticFiles(staticFolders(root, 'other'), 0o022);
  expect(process.umask(own)).toBe(0o077);
  const copy = join(root, 'other/compressed/_next/static/one.js.gz');
  expect((await stat(copy)).mode & 0o777).toBe(0o644);
  expect((await stat(dirname(copy))).mode & 0o777).toBe(0o755);
});
