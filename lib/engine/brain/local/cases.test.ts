import { describe, expect, it } from 'vitest';
import seen from './cases/facts.json' with { type: 'json' };
import unseen from './cases/facts-unseen.json' with { type: 'json' };
import { talk } from './testing-talk.ts';

type Case = {
  prompt: string;
  knowledge?: string[];
  says: string[];
  /** What the last answer has to hold, and must not. */
  accept?: string;
  refuse?: string;
  tool?: string;
  noTool?: string;
};

const ask = ({ prompt, knowledge, says }: Pick<Case, 'prompt' | 'knowledge' | 'says'>) =>
  talk(says, {
    plan: {
      direction: 'INBOUND',
      prompt: { opening: 'Hello, how can I help you?', body: prompt },
      card: { scope: null },
      hasCallTransfer: false,
      disabledToolNames: ['transfer_call'],
    },
    ...(knowledge ? { knowledge } : {}),
  });

async function isRight(each: Case): Promise<boolean> {
  const { last, uses } = await ask(each);
  return (
    (each.accept === undefined || new RegExp(each.accept, 'i').test(last)) &&
    (each.refuse === undefined || !new RegExp(each.refuse, 'i').test(last)) &&
    (each.tool === undefined || uses.includes(each.tool)) &&
    (each.noTool === undefined || !uses.includes(each.noTool))
  );
}

describe('what a prompt says', () => {
  it.each((seen as Case[]).map((each) => [each.says.join(' / '), each.prompt, each] as const))(
    'is answered by: %s (%s)',
    async (_, __, each) => {
      const { last, uses } = await ask(each);
      if (each.accept !== undefined) expect(last).toMatch(new RegExp(each.accept, 'i'));
      if (each.refuse !== undefined) expect(last).not.toMatch(new RegExp(each.refuse, 'i'));
      if (each.tool !== undefined) expect(uses).toContain(each.tool);
      if (each.noTool !== undefined) expect(uses).not.toContain(each.noTool);
    },
  );

  it('is answered in most cases that the code was not written with', async () => {
    const judged = await Promise.all(
      (unseen as Case[]).map(async (each) => ({ each, right: await isRight(each) })),
    );
    const wrong = judged.filter(({ right }) => !right).map(({ each }) => each.says);
    expect(wrong.length, JSON.stringify(wrong)).toBeLessThanOrEqual(6);
  });
});
