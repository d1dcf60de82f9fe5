import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GET as listAgents } from '#app/api/agents/route.ts';
import { GET as listConversations } from '#app/api/conversations/route.ts';
import { GET as health } from '#app/api/health/route.ts';
import { POST as createAgent } from '#app/api/agents/route.ts';
import { addKey } from '#lib/auth/testing.ts';
import { seedLine } from '#lib/features/calls/testing.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { operations } from './operations.ts';
import { isOfContract } from './contract-operations.ts';
import type { RouteHandler } from './route.ts';

const KEY = 'cw_test_unknown_0123456789abcdef01';
let runtime: TestRuntime;

beforeAll(async () => {
  runtime = await startTestRuntime();
  const line = await seedLine(runtime.db, 'unknown');
  await addKey(runtime, line.actor.workspaceId, KEY);
});
afterAll(() => runtime.close());

async function ask(handler: RouteHandler, query: string, body?: object) {
  const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
  const request = new Request(`http://localhost:3000/api/x?${query}`, {
    headers,
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  });
  const response = await handler(request, { params: Promise.resolve({}) });
  return { response, answer: (await response.json()) as { error?: { code: string; message: string } } };
}

describe('a query parameter that an operation does not have', () => {
  it("is ignored on the contract's operations, and named in a header", async () => {
    const { response } = await ask(listConversations, 'disposition=FAILED&limit=1&gr%C3%BC%C3%9Fe%0a=1');
    expect(response.status).toBe(200);
    expect(response.headers.get('x-callwright-warning')).toBe(
      'Unknown query parameters were ignored: disposition, gr%C3%BC%C3%9Fe%0A',
    );
    const known = await ask(listConversations, 'limit=1&include_tests=true');
    expect(known.response.headers.has('x-callwright-warning')).toBe(false);
    const many = Array.from({ length: 30 }, (_, index) => `p${index}${'x'.repeat(300)}=`).join('&');
    const long = (await ask(listConversations, many)).response.headers.get('x-callwright-warning') ?? '';
    expect(long).toMatch(/ and 20 more$/);
    expect(long.length).toBeLessThan(800);
  });

  it('is refused on others', async () => {
    const { response, answer } = await ask(listAgents, 'limt=1&__proto__=1');
    expect(response.status).toBe(400);
    expect(answer.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('limt: is not a known query parameter'),
    });
    expect(answer.error?.message).toContain('__proto__: is not');
    expect((await ask(health, 'x=1')).response.status).toBe(400);
    expect((await ask(health, '')).response.status).toBe(200);
  });
});

it('a field that an operation beyond the contract does not have is refused', async () => {
  const { response, answer } = await ask(createAgent, '', { name: 'Desk', isActiv: true });
  expect(response.status).toBe(400);
  expect(answer.error?.message).toContain('isActiv: is not a known field');
});

it.each(['true', 'True', '1', 'false', 'FALSE', '0'])('include_tests takes %s', async (spelling) => {
  expect((await ask(listConversations, `include_tests=${spelling}`)).response.status).toBe(200);
});

it('include_tests takes nothing else', async () => {
  expect((await ask(listConversations, 'include_tests=yes')).answer.error?.message).toContain(
    'include_tests: must be true or false',
  );
});

it("the contract's operations are all there", () => {
  expect(operations.filter(isOfContract)).toHaveLength(25);
});
