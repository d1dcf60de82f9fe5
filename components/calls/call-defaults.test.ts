import { describe, expect, it } from 'vitest';
import { callDefaults } from './call-defaults.ts';
import type { Caller } from './use-callers.ts';

const caller = (number: string, agentId: string, isActive = true): Caller => ({
  number,
  carrier: 'simulated',
  agentId,
  agentName: `Agent ${agentId}`,
  isActive,
  refusal: null,
});
const CALLERS = [
  caller('+15550100001', 'off', false),
  caller('+15550100002', 'a'),
  caller('+15550100003', 'b'),
];
const CALL = {
  agentId: 'b',
  agentName: 'Agent b',
  agentPhoneNumber: '+15550100003',
  humanPhoneNumber: '+15550188801',
  direction: 'OUTBOUND' as const,
  outboundPromptId: 'prompt_b',
  variables: { name: 'Robin', months: '14' },
};
const from = (query: string, again?: Parameters<typeof callDefaults>[0]['again']) =>
  callDefaults({ params: new URLSearchParams(query), ...(again ? { again } : {}) }, CALLERS);

describe('what the form for a call starts with', () => {
  it('is the first agent that may call', () => {
    expect(from('')).toMatchObject({ from: '+15550100002' });
  });

  it('is the agent whose page it was opened from', () => {
    expect(from('agentId=b')).toMatchObject({ from: '+15550100003' });
  });

  it('is the number, the person, the prompt and the variables of a call that is repeated', () => {
    expect(from('again=cnv_1', CALL)).toEqual({
      from: '+15550100003',
      to: '+15550188801',
      promptId: 'prompt_b',
      variables: { name: 'Robin', months: '14' },
    });
  });

  it('leaves out what an inbound caller brought', () => {
    expect(from('again=cnv_1', { ...CALL, direction: 'INBOUND' })).toEqual({
      from: '+15550100003',
      to: '+15550188801',
    });
  });

  it.each([
    ['agentId=off', 'Agent off is inactive'],
    ['from=%2B15550100001', 'Agent off is inactive'],
    ['from=%2B15550199999', 'no longer a number'],
    ['agentId=gone', 'has no number'],
  ])('chooses nobody else for %s, and says why', (query, reason) => {
    expect(from(query)).toMatchObject({ problem: expect.stringContaining(reason) });
    expect(from(query).from).toBeUndefined();
  });

  it('says when the number has another agent now', () => {
    expect(from('', { ...CALL, agentId: 'a' })).toMatchObject({
      from: '+15550100003',
      problem: expect.stringContaining('Agent b'),
    });
  });
});
