import { describe, expect, it } from 'vitest';
import { type AnswerBeginning, createReasoningFilter } from './reasoning.ts';

/** What is shown of an answer that arrives in parts of `size` characters. */
function show(answer: string, size: number, beginning?: AnswerBeginning) {
  const filter = createReasoningFilter(beginning === undefined ? {} : { beginning });
  const parts = answer.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
  const shown = parts.map((part) => filter.push(part)).join('') + filter.flush();
  return { shown: shown.trim(), hasLoneClosing: filter.hasLoneClosing() };
}

describe('what a model thinks to itself', () => {
  it.each([
    ['<think>The secret is 42.</think>Hello there.', 'Hello there.'],
    ['<thinking>a<think>b</think>c</thinking>Hello', 'Hello'],
    ['Hello. <THINK>secret', 'Hello.'],
    ['[THINK]secret[/THINK]Hello', 'Hello'],
    ['◁think▷secret◁/think▷Hello', 'Hello'],
    [
      '<|channel|>analysis<|message|>secret<|end|><|start|>assistant<|channel|>final<|message|>Hello<|return|>',
      'Hello',
    ],
    ['<|start|>assistant<|channel|>analysis<|message|>secret<|channel|>final<|message|>Hello', 'Hello'],
    ['One moment. <tool_call>{"name":"x"}</tool_call>', 'One moment.'],
    ['<answer>Hello</answer>', 'Hello'],
    ['a < b, <b>c</b> [1] and [a link](x)', 'a < b, <b>c</b> [1] and [a link](x)'],
  ])('is left out of %j, however it arrives', (answer, shown) => {
    for (const size of [1, 7, 1_000]) expect(show(answer, size).shown).toBe(shown);
  });

  it('is told from an answer where its beginning is not marked', () => {
    for (const size of [1, 7, 1_000]) {
      const unmarked = 'Okay, the user wants a slot.\nThe secret is 42.\n</think>Hello';
      expect(show(unmarked, size, 'unknown')).toEqual({ shown: 'Hello', hasLoneClosing: true });
      expect(show('The code is 42.</think>Hello', size, 'in_thought').shown).toBe('Hello');
      // What only sounded like a thought is said when nothing else came.
      const answer = 'Okay, the plumber comes at nine.';
      expect(show(answer, size, 'unknown')).toEqual({ shown: answer, hasLoneClosing: false });
    }
  });
});
