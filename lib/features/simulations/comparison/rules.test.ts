import { expect, it } from 'vitest';
import { type Answerer, outcomeOf, type VerdictState } from '../rules.ts';
import type { Criterion } from '../scenarios/contract.ts';
import { compareResult } from './rules.ts';

const said = (text: string): Criterion => ({ type: 'said', text });
const result = (
  states: Record<string, VerdictState>,
  scenarioId = 'scn_1',
  answeredBy: Answerer | null = 'model',
) => {
  const verdicts = Object.entries(states).map(([text, state]) => ({ criterion: said(text), state }));
  return { scenarioId, outcome: outcomeOf(verdicts), verdicts, answeredBy };
};
const change = (now: Record<string, VerdictState>, before: Record<string, VerdictState>) =>
  compareResult(result(now), [result({ a: 'failed' }, 'scn_other'), result(before)]).change;

it('is worse where something that passed fails, whatever else got better', () => {
  expect(change({ a: 'failed' }, { a: 'passed' })).toBe('worse');
  expect(change({ a: 'failed', b: 'passed' }, { a: 'passed', b: 'failed' })).toBe('worse');
  expect(change({ a: 'passed', b: 'failed' }, { a: 'failed', b: 'failed' })).toBe('better');
  expect(change({ a: 'failed' }, { a: 'failed' })).toBe('same');
});

it('calls nothing better that rules answered, and still worse what fails now', () => {
  const by = (now: Answerer | null, before: Answerer | null, [from, to]: [VerdictState, VerdictState]) =>
    compareResult(result({ a: to }, 'scn_1', now), [result({ a: from }, 'scn_1', before)]).change;
  expect(by('rules', 'rules', ['failed', 'passed'])).toBe('same');
  expect(by('rules', 'rules', ['passed', 'failed'])).toBe('worse');
  expect(by('rules', null, ['failed', 'passed'])).toBe('same');
  // Of a result of an earlier release nobody knows who answered.
  expect(by('model', null, ['failed', 'passed'])).toBe('better');
  expect(by(null, null, ['failed', 'passed'])).toBe('better');
});

it('compares what a model said with nothing that rules said', () => {
  const one = result({ a: 'failed' }, 'scn_1', 'rules');
  const other = result({ a: 'passed' });
  expect(compareResult(one, [other]).change).toBe('new');
  expect(compareResult(other, [one]).change).toBe('new');
});

it('does not compare what was changed in between, nor what nobody judged', () => {
  expect(change({ a: 'failed' }, { b: 'passed' })).toBe('same');
  expect(change({ a: 'not_judged' }, { a: 'passed' })).toBe('same');
  const { statesBefore } = compareResult(result({ a: 'failed', c: 'passed' }), [result({ c: 'passed' })]);
  expect(statesBefore).toEqual([null, 'passed']);
});

it('compares with nothing where there is no run before, or one that says nothing about the agent', () => {
  expect(compareResult(result({ a: 'failed' }), []).change).toBe('new');
  const broken = { ...result({ a: 'passed' }), outcome: 'broken' as const };
  expect(compareResult(result({ a: 'failed' }), [broken]).change).toBe('new');
});

it('knows a criterion whose fields come in another order', () => {
  const one: Criterion = { type: 'tool_used', tool: 'book', arguments: { day: 'Tuesday', time: '3' } };
  const other = JSON.parse(
    '{"arguments":{"time":"3","day":"Tuesday"},"tool":"book","type":"tool_used"}',
  ) as Criterion;
  const now = {
    scenarioId: 's',
    answeredBy: null,
    outcome: 'failed' as const,
    verdicts: [{ criterion: one, state: 'failed' as const }],
  };
  const before = {
    ...now,
    outcome: 'passed' as const,
    verdicts: [{ criterion: other, state: 'passed' as const }],
  };
  expect(compareResult(now, [before]).change).toBe('worse');
});
