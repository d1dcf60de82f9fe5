import { afterEach, expect, it } from 'vitest';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { GET } from './route.ts';

let runtime: TestRuntime;
afterEach(() => runtime.close());

it('names whom to tell of a hole, and until when that is good', async () => {
  runtime = await startTestRuntime({
    env: { SECURITY_CONTACT: 'mailto:security@example.com', PUBLIC_URL: 'https://calls.example.com' },
  });
  const answer = GET();
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const fields = Object.fromEntries((await answer.text()).split('\n').map((line) => line.split(/: (.*)/)));
  expect(fields).toMatchObject({
    Contact: 'mailto:security@example.com',
    Canonical: 'https://calls.example.com/.well-known/security.txt',
  });
  const days = (Date.parse(String(fields.Expires)) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(29);
  expect(days).toBeLessThan(365);
});

it('is not there where the operator names nobody', async () => {
  runtime = await startTestRuntime();
  expect(GET().status).toBe(404);
});
