import { afterAll, beforeAll, expect, it } from 'vitest';
import { addKey, addWorkspace } from '#lib/auth/testing.ts';
import type { RouteHandler } from '#lib/http/route.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { GET, POST } from './route.ts';
import { DELETE as REMOVE, GET as READ, PUT } from './[id]/route.ts';
import { GET as DOCUMENTS, POST as UPLOAD } from './[id]/documents/route.ts';
import { DELETE as REMOVE_DOCUMENT } from './documents/[documentId]/route.ts';
import { GET as NAMES } from './workspace/route.ts';

let runtime: TestRuntime;
beforeAll(async () => {
  runtime = await startTestRuntime();
  for (const name of ['one', 'two']) {
    await addWorkspace(runtime, `ws_${name}`);
    await addKey(runtime, `ws_${name}`, `cw_test_${name}`);
  }
});
afterAll(() => runtime.close());

type Answer = {
  status: number;
  json: { data: never; message?: string; error?: { code: string; message: string; statusCode: number } };
};

async function call(
  handler: RouteHandler,
  given: {
    method?: string;
    params?: Record<string, string>;
    query?: string;
    body?: unknown;
    form?: FormData;
    key?: string;
  } = {},
): Promise<Answer> {
  const headers = new Headers({ 'x-api-key': given.key ?? 'cw_test_one' });
  if (given.body !== undefined) headers.set('content-type', 'application/json');
  const encoded = given.form ? new Response(given.form) : undefined;
  if (encoded) headers.set('content-type', encoded.headers.get('content-type') ?? '');
  const body = encoded ? await encoded.bytes() : JSON.stringify(given.body);
  const method = given.method ?? (body ? 'POST' : 'GET');
  const request = new Request(`http://localhost:3000/api/knowledge-bases${given.query ?? ''}`, {
    method,
    headers,
    ...(body ? { body } : {}),
  });
  const response = await handler(request, { params: Promise.resolve(given.params ?? {}) });
  return { status: response.status, json: (await response.json()) as Answer['json'] };
}

function formWith(name: string, content: string): FormData {
  const form = new FormData();
  form.append('file', new File([content], name));
  return form;
}

it('creates, lists, reads, changes and deletes as the contract says', async () => {
  const created = await call(POST, { body: { name: 'Prices', description: 'What things cost' } });
  expect(created).toMatchObject({
    status: 201,
    json: { data: { workspaceId: 'ws_one', name: 'Prices' }, message: 'Knowledge base created' },
  });
  const { id } = created.json.data as { id: string };
  expect(Object.keys(created.json.data).toSorted()).toEqual([
    'createdAt',
    'description',
    'id',
    'name',
    'updatedAt',
    'workspaceId',
  ]);
  expect(await call(GET)).toMatchObject({
    status: 200,
    json: {
      data: {
        knowledgeBases: [{ id, _count: { documents: 0, agents: 0 } }],
        pageCount: 1,
        pageIndex: 1,
        pageSize: 25,
        sortBy: 'createdAt',
        sortOrder: 'desc',
      },
    },
  });
  expect((await call(NAMES)).json.data).toEqual([{ id, name: 'Prices', description: 'What things cost' }]);
  expect((await call(PUT, { method: 'PUT', params: { id }, body: { name: 'New' } })).json).toEqual({
    data: { id, name: 'New', description: 'What things cost' },
    message: 'Knowledge base updated',
  });
  expect(await call(READ, { params: { id }, key: 'cw_test_two' })).toMatchObject({
    status: 403,
    json: { error: { code: 'FORBIDDEN', statusCode: 403 } },
  });
  expect((await call(REMOVE, { method: 'DELETE', params: { id } })).json).toEqual({
    data: null,
    message: 'Knowledge base deleted',
  });
  expect((await call(READ, { params: { id } })).status).toBe(404);
});

it('uploads a document and deletes it', async () => {
  const { id } = (await call(POST, { body: { name: 'Docs', description: 'x' } })).json.data as { id: string };
  const uploaded = await call(UPLOAD, { params: { id }, form: formWith('a.txt', 'Parking is free.') });
  expect(uploaded).toMatchObject({
    status: 201,
    json: {
      data: {
        knowledgeBaseId: id,
        originalName: 'a.txt',
        fileType: 'TXT',
        fileSize: 16,
        status: 'COMPLETED',
        chunkCount: 1,
      },
      message: 'Document processed',
    },
  });
  expect(await call(UPLOAD, { params: { id }, form: formWith('b.pdf', 'no PDF') })).toMatchObject({
    status: 201,
    json: { data: { status: 'FAILED', errorMessage: expect.stringMatching(/not a PDF/) } },
  });
  expect((await call(DOCUMENTS, { params: { id } })).json.data).toMatchObject([
    { originalName: 'b.pdf' },
    { originalName: 'a.txt', _count: { chunks: 1 } },
  ]);
  const documentId = (uploaded.json.data as { id: string }).id;
  expect(
    (await call(REMOVE_DOCUMENT, { method: 'DELETE', params: { documentId }, key: 'cw_test_two' })).status,
  ).toBe(403);
  expect((await call(REMOVE_DOCUMENT, { method: 'DELETE', params: { documentId } })).json).toEqual({
    data: null,
    message: 'Document deleted',
  });
  expect((await call(REMOVE_DOCUMENT, { method: 'DELETE', params: { documentId } })).status).toBe(404);
});

it.each([
  ['?sortBy=embedding_model', /sortBy: /],
  ['?page=0', /page: must be at least 1/],
  ['?pageSize=1001', /pageSize: must be at most 1000/],
  ['?sortOrder=up&page=x', /sortOrder: .*page: |page: .*sortOrder: /],
])('refuses %s and names the field', async (query, message) => {
  expect(await call(GET, { query })).toMatchObject({
    status: 400,
    json: { error: { code: 'VALIDATION_ERROR', message: expect.stringMatching(message) } },
  });
});

it.each([
  [{}, /name: is required; description: is required/],
  [{ name: ' ', description: 'x' }, /name: must not be empty/],
  [{ name: 'x'.repeat(201), description: 'x' }, /name: must be at most 200/],
  [{ name: 1, description: 'x' }, /name: /],
])('refuses to create %j', async (body, message) => {
  expect(await call(POST, { body })).toMatchObject({
    status: 400,
    json: { error: { message: expect.stringMatching(message) } },
  });
});
