import type { Tone } from '#components/ui/badge.tsx';
import type { Simulation, SimulationResult, SimulationSummary } from '#lib/features/simulations/contract.ts';
import type { Criterion } from '#lib/features/simulations/scenarios/contract.ts';

type Words = { label: string; tone: Tone };

export const OUTCOMES: Record<NonNullable<SimulationResult['outcome']>, Words> = {
  passed: { label: 'Passed', tone: 'success' },
  failed: { label: 'Failed', tone: 'danger' },
  not_judged: { label: 'Not judged', tone: 'warning' },
  broken: { label: 'Not run', tone: 'warning' },
  interrupted: { label: 'Interrupted', tone: 'warning' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
};

export const VERDICTS: Record<SimulationResult['verdicts'][number]['state'], Words> = {
  passed: { label: 'Passed', tone: 'success' },
  failed: { label: 'Failed', tone: 'danger' },
  not_judged: { label: 'Not judged', tone: 'warning' },
};

export const STATUSES: Record<SimulationSummary['status'], Words> = {
  running: { label: 'Running', tone: 'accent' },
  completed: { label: 'Completed', tone: 'neutral' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
};

export const ENDERS = {
  agent: 'the agent',
  person: 'the person',
  transfer: 'a transfer',
  limit: 'a limit',
} as const;

/** A criterion as a sentence. */
export function criterionSentence(criterion: Criterion): string {
  switch (criterion.type) {
    case 'tool_used': {
      const wanted = Object.entries(criterion.arguments ?? {}).map(([name, text]) => `${name}: ${text}`);
      return `Uses ${criterion.tool}${wanted.length > 0 ? ` with ${wanted.join(', ')}` : ''}`;
    }
    case 'tool_not_used':
      return `Does not use ${criterion.tool}`;
    case 'said':
      return `Says “${criterion.text}”`;
    case 'not_said':
      return `Never says “${criterion.text}”`;
    case 'ended_by':
      return `Is ended by ${ENDERS[criterion.by]}`;
    case 'max_turns':
      return `Takes the agent at most ${criterion.turns} ${criterion.turns === 1 ? 'turn' : 'turns'}`;
    case 'judged':
      return criterion.sentence;
  }
}

/** What came of a simulation, in a few words; what is zero is left out. */
export function tallyWords({ counts }: Pick<SimulationSummary, 'counts'>): string {
  const parts: [number, string][] = [
    [counts.passed, 'passed'],
    [counts.failed, 'failed'],
    [counts.notJudged, 'not judged'],
    [counts.notRun, 'not run'],
    [counts.open, 'to go'],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ');
}

export function versionWords({ version }: Pick<SimulationSummary, 'version'>): string {
  return version.number === null ? 'Draft' : `Version ${version.number}`;
}

/** How the agent came to the words of the people in a simulation with sound; '' while that is not known. */
export function hearingSentence({ results }: Pick<Simulation, 'results'>): string {
  const spoken = results.filter(({ turns }) => turns?.some(({ speaker }) => speaker === 'human'));
  const models = [...new Set(spoken.flatMap(({ heardBy }) => heardBy ?? []))];
  const written = spoken.filter(({ heardBy }) => heardBy === null).length;
  if (spoken.length === 0) return '';
  const asWritten =
    'Both sides spoke. What people said reached the agent as it is written, as if perfectly heard: nothing transcribed it.';
  if (models.length === 0) return asWritten;
  const heard = `Both sides spoke, and ${models.join(' and ')} transcribed what people said.`;
  return written === 0 ? heard : `${heard} In ${written} of ${spoken.length} the words arrived as written.`;
}

/** What a simulation says of a draft before it is published. */
export function trialSentence(
  simulation: Pick<Simulation, 'status' | 'awaitsComparison' | 'counts' | 'results'>,
): string {
  if (simulation.status === 'running' || simulation.awaitsComparison) return 'Its simulations are running.';
  const worse = simulation.results.filter(({ change }) => change === 'worse');
  return [
    `In simulations of it: ${tallyWords(simulation)}.`,
    ...(worse.length > 0
      ? [`Worse than what is published: ${worse.map(({ scenarioName }) => scenarioName).join(', ')}.`]
      : []),
    ...(isAnsweredByRules(simulation) ? [RULES_ANSWERED] : []),
  ].join(' ');
}

export const RULES_ANSWERED =
  'The built-in rules answered, not a language model: they take names, hours, prices and questions from the prompt, and how else it is worded has no effect. These results do not tell whether it is worded well.';

/** Whether the built-in rules spoke for the agent in any of its conversations. */
export function isAnsweredByRules({ results }: Pick<Simulation, 'results'>): boolean {
  return results.some(({ answeredBy }) => answeredBy === 'rules');
}
