import { expect, it } from 'vitest';
import { holdNavigations } from './held-navigation.ts';

const PAGE = { headers: { rsc: '1' } };

function setUp(answers: (Response | Error)[]) {
  const told: (boolean | number)[] = [];
  const asked: string[] = [];
  const held = holdNavigations(
    async (input) => {
      asked.push(typeof input === 'string' ? input : 'other');
      const answer = answers.shift() ?? new Error('nothing left');
      if (answer instanceof Error) throw answer;
      return answer;
    },
    {
      onAway: (isAway) => void told.push(isAway),
      wait: async (ms) => void told.push(ms),
    },
  );
  return { held, told, asked };
}

it('a page that is asked for while the service is away comes once it is back', async () => {
  const answers = [new TypeError('Failed to fetch'), new Response('', { status: 502 }), new Response('page')];
  const { held, told, asked } = setUp(answers);
  expect(await (await held('/w/ws_1/agents', PAGE)).text()).toBe('page');
  expect(told).toEqual([true, 2_000, true, 2_000, false]);
  expect(asked).toHaveLength(3);
});

it('what was only guessed to be wanted, and every other request, fails as before', async () => {
  const { held, told } = setUp([
    new TypeError('one'),
    new TypeError('two'),
    new Response('', { status: 502 }),
  ]);
  await expect(
    held('/w/ws_1/agents', { headers: { rsc: '1', 'next-router-prefetch': '1' } }),
  ).rejects.toThrow('one');
  await expect(held('/api/agents')).rejects.toThrow('two');
  expect((await held('/api/agents')).status).toBe(502);
  expect(told).toEqual([]);
});

it('a page that nobody waits for any more is given up', async () => {
  const leaving = new AbortController();
  leaving.abort();
  const { held, told } = setUp([new TypeError('aborted')]);
  await expect(held('/w/ws_1/agents', { ...PAGE, signal: leaving.signal })).rejects.toThrow('aborted');
  expect(told).toEqual([]);
});
