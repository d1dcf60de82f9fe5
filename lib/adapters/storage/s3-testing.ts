import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/*
 * A bucket in memory behind a server that speaks as much of S3's protocol as a store needs, and checks each request's
 * signature (AWS Signature Version 4). Not for anything but tests.
 */

const ACCESS_KEY = 'test-access-key';
const SECRET_KEY = 'test-secret-key';
const LIST_PAGE = 2;

export type TestBucket = {
  endpoint: string;
  /** What a client must have in its environment. */
  credentials: { AWS_ACCESS_KEY_ID: string; AWS_SECRET_ACCESS_KEY: string };
  keys(): string[];
  /** Uploads in parts that were begun, and neither completed nor aborted. */
  unfinishedUploads(): number;
  /** How many of the next requests are answered with an error that asks for another try. */
  failNext(count: number): void;
  close(): Promise<void>;
};

type Stored = { bytes: Buffer; modifiedAt: Date };
type Answer = { status: number; headers?: Record<string, string>; body?: string | Buffer };

export async function startTestBucket(bucket: string): Promise<TestBucket> {
  const objects = new Map<string, Stored>();
  const uploads = new Map<string, { key: string; parts: Map<number, Buffer> }>();
  let failures = 0;

  function answer(request: IncomingMessage, url: URL, body: Buffer): Answer {
    if (failures > 0) {
      failures -= 1;
      return error(500, 'InternalError');
    }
    if (!isSignedRight(request, url, body)) return error(403, 'SignatureDoesNotMatch');
    const [, name = '', ...rest] = decodeURIComponent(url.pathname).split('/');
    if (name !== bucket) return error(404, 'NoSuchBucket');
    const key = rest.join('/');
    const uploadId = url.searchParams.get('uploadId');
    if (uploadId !== null || url.searchParams.has('uploads')) return ofUpload(request, url, key, body);
    if (key === '') return listOf(url);
    if (request.method === 'PUT') {
      objects.set(key, { bytes: body, modifiedAt: new Date() });
      return { status: 200, headers: { etag: etag(body) } };
    }
    if (request.method === 'DELETE') {
      objects.delete(key);
      return { status: 204 };
    }
    return read(request, objects.get(key));
  }

  function ofUpload(request: IncomingMessage, url: URL, key: string, body: Buffer): Answer {
    if (url.searchParams.has('uploads')) {
      const id = `upload-${uploads.size + 1}`;
      uploads.set(id, { key, parts: new Map() });
      return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
    }
    const id = url.searchParams.get('uploadId') ?? '';
    const upload = uploads.get(id);
    if (!upload || upload.key !== key) return error(404, 'NoSuchUpload');
    if (request.method === 'PUT') {
      upload.parts.set(Number(url.searchParams.get('partNumber')), body);
      return { status: 200, headers: { etag: etag(body) } };
    }
    uploads.delete(id);
    if (request.method === 'DELETE') return { status: 204 };
    const inOrder = [...upload.parts].toSorted(([a], [b]) => a - b).map(([, part]) => part);
    objects.set(key, { bytes: Buffer.concat(inOrder), modifiedAt: new Date() });
    return xml('<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>');
  }

  function listOf(url: URL): Answer {
    const prefix = url.searchParams.get('prefix') ?? '';
    const after = url.searchParams.get('continuation-token') ?? '';
    const most = Math.min(LIST_PAGE, Number(url.searchParams.get('max-keys') ?? LIST_PAGE));
    const found = [...objects].filter(([key]) => key.startsWith(prefix) && key > after);
    const page = found.toSorted(([a], [b]) => (a < b ? -1 : 1)).slice(0, most);
    const next = found.length > page.length ? page.at(-1)?.[0] : undefined;
    const contents = page.map(
      ([key, { bytes, modifiedAt }]) =>
        `<Contents><Key>${key}</Key><Size>${bytes.length}</Size><LastModified>${modifiedAt.toISOString()}</LastModified></Contents>`,
    );
    const more = next === undefined ? '' : `<NextContinuationToken>${next}</NextContinuationToken>`;
    return xml(`<ListBucketResult>${contents.join('')}${more}</ListBucketResult>`);
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    bodyOf(request).then(
      (body) => send(request, response, answer(request, url, body)),
      // Whoever sent it is gone, killed perhaps: half an object is none.
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    credentials: { AWS_ACCESS_KEY_ID: ACCESS_KEY, AWS_SECRET_ACCESS_KEY: SECRET_KEY },
    keys: () => [...objects.keys()].toSorted(),
    unfinishedUploads: () => uploads.size,
    failNext: (count) => {
      failures = count;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function read(request: IncomingMessage, stored: Stored | undefined): Answer {
  if (!stored) return error(404, 'NoSuchKey');
  const { bytes, modifiedAt } = stored;
  const headers = { 'last-modified': modifiedAt.toUTCString() };
  const [, first, last] = request.headers.range?.match(/^bytes=(\d+)-(\d+)$/) ?? [];
  if (first === undefined || last === undefined) return { status: 200, headers, body: bytes };
  const [start, end] = [Number(first), Math.min(Number(last), bytes.length - 1)];
  if (start >= bytes.length) return error(416, 'InvalidRange');
  return {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${start}-${end}/${bytes.length}` },
    body: bytes.subarray(start, end + 1),
  };
}

function send(request: IncomingMessage, response: ServerResponse, { status, headers, body = '' }: Answer) {
  response.writeHead(status, { 'content-length': String(Buffer.byteLength(body)), ...headers });
  response.end(request.method === 'HEAD' ? undefined : body);
}

const xml = (body: string): Answer => ({ status: 200, headers: { 'content-type': 'application/xml' }, body });
const error = (status: number, code: string): Answer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<Error><Code>${code}</Code><Message>${code}</Message></Error>`,
});
const etag = (bytes: Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`;

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** Makes the signature once more from the request (AWS, "Create a signed request"), and compares. */
function isSignedRight(request: IncomingMessage, url: URL, body: Buffer): boolean {
  const [, scope = '', names = '', signature = ''] =
    request.headers.authorization?.match(
      /^AWS4-HMAC-SHA256 Credential=[^/]+\/(\S+), SignedHeaders=(\S+), Signature=(\w+)$/,
    ) ?? [];
  const hash = String(request.headers['x-amz-content-sha256']);
  if (hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256(body)) return false;
  const query = [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join('&');
  const headers = names.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  const canonical = [request.method, url.pathname, query, headers.join(''), names, hash].join('\n');
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = scope
    .split('/')
    .reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${SECRET_KEY}`);
  return hmac(key, text).toString('hex') === signature;
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
