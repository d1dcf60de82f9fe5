import type { Answerer, ResultOutcome, Verdict, VerdictState } from '../rules.ts';
import type { Criterion } from '../scenarios/contract.ts';

/** `new`: there is nothing to compare it with. */
export const CHANGES = ['worse', 'better', 'same', 'new'] as const;
export type Change = (typeof CHANGES)[number];

/** What is compared of a result. */
export type Comparable = {
  scenarioId: string;
  outcome: ResultOutcome | null;
  verdicts: readonly Pick<Verdict, 'criterion' | 'state'>[];
  /** null: not known. */
  answeredBy: Answerer | null;
};

export type Compared = {
  change: Change;
  before: ResultOutcome | null;
  /** What became of each criterion the time before; null where it was not there. In the order of the criteria. */
  statesBefore: (VerdictState | null)[];
};

/**
 * Compares a result with the one before of the same scenario, criterion by criterion: one that passed and now fails makes
 * it worse, whatever else got better. Criteria that were changed in between are not compared, nor what a model said with what
 * rules said. What rules say makes no prompt better: they would say much the same with a worse one.
 */
export function compareResult(now: Comparable, before: readonly Comparable[]): Compared {
  const last = before.find(({ scenarioId }) => scenarioId === now.scenarioId);
  const statesBefore = now.verdicts.map(
    ({ criterion }) => last?.verdicts.find((verdict) => isSame(verdict.criterion, criterion))?.state ?? null,
  );
  const isCompared =
    last !== undefined &&
    isAboutAgent(now.outcome) &&
    isAboutAgent(last.outcome) &&
    (now.answeredBy === null || last.answeredBy === null || now.answeredBy === last.answeredBy);
  if (!isCompared) return { change: 'new', before: last?.outcome ?? null, statesBefore };
  const hasChanged = (from: VerdictState, to: VerdictState) =>
    now.verdicts.some(({ state }, index) => statesBefore[index] === from && state === to);
  const change = hasChanged('passed', 'failed')
    ? 'worse'
    : hasChanged('failed', 'passed') && now.answeredBy !== 'rules' && last.answeredBy !== 'rules'
      ? 'better'
      : 'same';
  return { change, before: last.outcome, statesBefore };
}

/** Whether the conversation took place, so that it says something about the agent. */
function isAboutAgent(outcome: ResultOutcome | null): boolean {
  return outcome === 'passed' || outcome === 'failed' || outcome === 'not_judged';
}

const isSame = (one: Criterion, other: Criterion) => keyOf(one) === keyOf(other);

/** Stored as JSON, the fields of a criterion come back in another order. */
function keyOf(criterion: Criterion): string {
  return JSON.stringify(sorted(criterion));
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .map(([name, inner]) => [name, sorted(inner)] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
}
