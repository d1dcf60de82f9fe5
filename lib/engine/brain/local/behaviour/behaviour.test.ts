import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openJudge } from './testing-judge.ts';

type Least = { right: number; absurd: number };
/** The least share right and the most absurd; what nobody has looked at is understood less often (docs/decisions/0177). */
const SETS: readonly [string, Least][] = [['exam', { right: 0.85, absurd: 3 }]];
/** Each set takes seconds, and says much the same as those above. */
const NIGHTLY_SETS: readonly [string, Least][] = [
  ['held-out', { right: 0.96, absurd: 1 }],
  ['author-one', { right: 0.62, absurd: 8 }],
  ['tuned', { right: 0.97, absurd: 2 }],
  ['later', { right: 0.94, absurd: 0 }],
  ['unseen-a', { right: 0.93, absurd: 0 }],
  ['unseen-b', { right: 0.95, absurd: 2 }],
  ['fresh-a', { right: 0.86, absurd: 3 }],
  ['fresh-b', { right: 0.93, absurd: 2 }],
  ['author-two', { right: 0.58, absurd: 10 }],
];

let opened: Awaited<ReturnType<typeof openJudge>>;
beforeAll(async () => {
  opened = await openJudge();
}, 120_000);
afterAll(() => opened.close());

async function check(set: string, least: Least): Promise<void> {
  const { count, wrong, absurd } = await opened.judge(set);
  expect(count).toBeGreaterThan(50);
  expect.soft(absurd.length, absurd.join('\n')).toBeLessThanOrEqual(least.absurd);
  expect(1 - wrong.length / count, wrong.join('\n')).toBeGreaterThanOrEqual(least.right);
}

const NAME = 'answers as many utterances right as it did, and hardly any absurdly: %s';

describe('the keyless agent', () => {
  it.each(SETS)(NAME, { timeout: 60_000 }, check);
  it.each(NIGHTLY_SETS)(NAME, { timeout: 60_000, tags: ['nightly'] }, check);
});
