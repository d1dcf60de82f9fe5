import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createReferencePage, sendPage } from './reference-page.ts';

const SCRIPT = 'document.title = "x"';
const HTML = `<!DOCTYPE html><style>a{}</style><script src="/a.js"></script><script>${SCRIPT}</script>${'<p>text</p>'.repeat(10_000)}`;

let renderings = 0;
let server: Server;
let address: string;

beforeAll(async () => {
  const page = createReferencePage(async (_request, response) => {
    renderings += 1;
    response.writeHead(200, { 'content-type': 'text/html' }).end(HTML);
  });
  server = createServer((request, response) => {
    void page().then((rendered) => sendPage(request, response, rendered));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs`;
});
afterAll(() => server.close());

test('the reference is rendered once, and sent compressed as the browser takes it', async () => {
  for (const encoding of ['br', 'gzip', 'identity']) {
    const answer = await fetch(address, { headers: { 'accept-encoding': encoding } });
    expect(answer.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
    expect(Number(answer.headers.get('content-length'))).toBeLessThan(
      encoding === 'identity' ? Infinity : 2_000,
    );
    expect(await answer.text()).toBe(HTML);
  }
  expect(renderings).toBe(1);
});

test('a browser that has it gets no second copy', async () => {
  const etag = (await fetch(address)).headers.get('etag') ?? '';
  const again = await fetch(address, { headers: { 'if-none-match': `W/${etag}` } });
  expect([again.status, await again.text()]).toEqual([304, '']);
  expect((await fetch(address, { headers: { 'if-none-match': '"another"' } })).status).toBe(200);
});

test('its inline scripts and styles are named by their hashes, and nothing else', async () => {
  const page = createReferencePage(async (_request, response) => void response.end(HTML));
  const sha = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  expect((await page()).hashes).toEqual({ scripts: [sha(SCRIPT)], styles: [sha('a{}')] });
});
