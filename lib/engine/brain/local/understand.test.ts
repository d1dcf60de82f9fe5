import { describe, expect, it } from 'vitest';
import sayings from './data/sayings.json' with { type: 'json' };
import { createUnderstanding, type Saying } from './understand.ts';

const TABLE: readonly Saying[] = sayings;
const { understand } = createUnderstanding(['Kim']);
const EXAMPLES = TABLE.flatMap(({ act, examples = [] }) =>
  examples.map((example) => [example, act] as const),
);

describe('what a person means', () => {
  it.each(EXAMPLES)('%s: %s', async (utterance, act) => {
    expect((await understand(utterance)).acts[0]?.act).toBe(act);
  });
});
