import { describe, expect, it } from 'vitest';
import type { Observed } from '../rules.ts';
import type { Criterion } from '../scenarios/contract.ts';
import { checkCriteria } from './rules.ts';

const turn = (seq: number, speaker: 'agent' | 'human', text: string) => ({
  seq,
  speaker,
  text,
  intendedText: null,
  startedMs: seq * 1_000,
  endedMs: seq * 1_000 + 900,
  interrupted: false,
});

const OBSERVED: Observed = {
  turns: [
    turn(1, 'agent', 'Alpha Dental, how can I help?'),
    turn(2, 'human', 'An appointment on Tuesday at 3 pm, please. No guarantee needed.'),
    turn(3, 'agent', "It's booked for Tuesday at 3 PM. That is 80 euros."),
    turn(4, 'agent', 'Goodbye.'),
  ],
  toolUses: [
    {
      seq: 1,
      name: 'book_appointment',
      arguments: { startsAt: '2026-03-03T15:00', spoken: 'Tuesday at 3 pm' },
      result: { ok: true },
      startedMs: 2_950,
      answeredBy: 'simulation',
    },
  ],
  endedBy: 'agent',
  endReason: 'The agent ended the call.',
  durationMs: 5_000,
};

const check = (criterion: Criterion, observed = OBSERVED) => checkCriteria([criterion], observed)[0];

describe('a criterion', () => {
  it.each<[Criterion, 'passed' | 'failed']>([
    [{ type: 'said', text: '80 Euros' }, 'passed'],
    [{ type: 'said', text: '90 euros|eighty euros | its booked' }, 'passed'],
    [{ type: 'said', text: '8' }, 'failed'],
    [{ type: 'said', text: 'guarantee' }, 'failed'],
    [{ type: 'not_said', text: 'guarantee' }, 'passed'],
    [{ type: 'not_said', text: 'cheap | 3 pm' }, 'failed'],
    [{ type: 'tool_used', tool: 'book_appointment' }, 'passed'],
    [{ type: 'tool_used', tool: 'book_appointment', arguments: { spoken: 'tuesday' } }, 'passed'],
    [{ type: 'tool_used', tool: 'book_appointment', arguments: { spoken: 'wednesday' } }, 'failed'],
    [{ type: 'tool_used', tool: 'transfer_call' }, 'failed'],
    [{ type: 'tool_not_used', tool: 'transfer_call' }, 'passed'],
    [{ type: 'tool_not_used', tool: 'book_appointment' }, 'failed'],
    [{ type: 'ended_by', by: 'agent' }, 'passed'],
    [{ type: 'ended_by', by: 'person' }, 'failed'],
    [{ type: 'max_turns', turns: 3 }, 'passed'],
    [{ type: 'max_turns', turns: 2 }, 'failed'],
  ])('%j is %s', (criterion, state) => {
    expect(check(criterion)).toMatchObject({ criterion, state });
  });

  it('rests on the words that decided it', () => {
    expect(check({ type: 'said', text: '80 euros' })?.quote).toMatchObject({ seq: 3, speaker: 'agent' });
    expect(check({ type: 'max_turns', turns: 2 })?.quote).toMatchObject({ seq: 4, text: 'Goodbye.' });
    expect(check({ type: 'tool_used', tool: 'book_appointment' })?.quote).toMatchObject({ seq: 2 });
    expect(check({ type: 'not_said', text: 'guarantee' })?.quote).toBeNull();
  });

  it('says which argument was another one', () => {
    const reason = check({
      type: 'tool_used',
      tool: 'book_appointment',
      arguments: { spoken: 'Friday' },
    })?.reason;
    expect(reason).toContain('spoken does not contain "Friday"');
  });

  it('that is to be judged is not passed while nobody judges it', () => {
    expect(check({ type: 'judged', sentence: 'The agent was friendly.' })).toMatchObject({
      state: 'not_judged',
      quote: null,
    });
  });
});
