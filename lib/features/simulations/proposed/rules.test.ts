import { expect, it } from 'vitest';
import { scenarioContent } from '../scenarios/contract.ts';
import { proposeScenario } from './rules.ts';

const CALL = {
  direction: 'INBOUND' as const,
  outboundPromptId: null,
  variables: { name: 'Anna' },
  outcome: null,
};
const turn = (speaker: 'agent' | 'human', text: string) => ({ speaker, text });

it('takes the lines of the person as the script and what happened as criteria', () => {
  const outcome = { transferredTo: null, endedBy: 'agent' } as NonNullable<
    Parameters<typeof proposeScenario>[0]['call']['outcome']
  >;
  const proposed = proposeScenario({
    call: { ...CALL, outcome },
    turns: [
      turn('agent', 'Alpha Dental, how can I help?'),
      turn('human', 'How much is a check-up?'),
      turn('human', 'And when are you open?'),
      turn('agent', 'It is 80 euros. We open at 8.'),
      turn('human', 'Is my order there?'),
      turn('agent', 'It arrives today.'),
      turn('human', 'Great, thanks. Bye.'),
    ],
    toolUses: [
      { name: 'look_up_order', result: { status: 'on its way' } },
      { name: 'end_call', result: { ok: true } },
    ],
  });
  expect(proposed?.name).toBe('How much is a check-up? And when are you open?');
  expect(scenarioContent.parse(proposed?.content)).toMatchObject({
    variables: { name: 'Anna' },
    caller: {
      script: [
        { say: 'How much is a check-up? And when are you open?', when: null },
        { say: 'Is my order there?', when: null },
      ],
      closing: 'Great, thanks. Bye.',
    },
    tools: [{ name: 'look_up_order', isReal: false, answer: { status: 'on its way' } }],
    criteria: [
      { type: 'tool_used', tool: 'look_up_order' },
      { type: 'said', text: '80 euros' },
      { type: 'ended_by', by: 'agent' },
      { type: 'max_turns', turns: 6 },
    ],
  });
});

it('makes nothing of a conversation in which the person said nothing', () => {
  expect(proposeScenario({ call: CALL, turns: [turn('agent', 'Hello?')], toolUses: [] })).toBeUndefined();
});
