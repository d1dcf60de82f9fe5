import { expect, it } from 'vitest';
import { freePort } from '../scripts/postgres.ts';
import { createMeanwhile } from './meanwhile.ts';

it('answers probes and everybody else until the service does, and says what it waits for', async () => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const meanwhile = createMeanwhile({ host: '127.0.0.1', port, role: 'worker' });
  await expect(fetch(origin)).rejects.toThrow();
  for (const done of [0, 3])
    await meanwhile.show({ because: `${done} of 7`, details: { migration: { done, of: 7 } } });
  const health = await fetch(`${origin}/api/health`);
  expect([health.status, await health.json()]).toMatchObject([
    200,
    { data: { status: 'ok', role: 'worker' } },
  ]);
  for (const [method, path] of [
    ['GET', '/api/ready'],
    ['POST', '/api/outbound'],
    ['POST', '/api/health'],
    ['GET', '/sign-in'],
  ]) {
    const answer = await fetch(`${origin}${path}`, { method: method ?? '' });
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
      503,
      '2',
      {
        error: {
          statusCode: 503,
          code: 'NOT_READY',
          message: 'Not ready: 3 of 7',
          details: { migration: { done: 3, of: 7 } },
        },
      },
    ]);
  }
  await meanwhile.close();
  await expect(fetch(origin)).rejects.toThrow();
});

it('says which port is taken', async () => {
  const port = await freePort();
  const [one, other] = [1, 2].map(() => createMeanwhile({ host: '127.0.0.1', port, role: 'all' }));
  await one!.show({ because: 'database', details: {} });
  await expect(other!.show({ because: 'database', details: {} })).rejects.toThrow(`Port ${port} is taken`);
  await Promise.all([one!.close(), other!.close()]);
});
