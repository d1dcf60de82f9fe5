import { compareResult } from './comparison/rules.ts';
import type { Simulation, SimulationResult, SimulationSummary } from './contract.ts';
import type { ResultReport } from './rules.ts';
import type { listResultsBefore, OutcomeCount, ResultRow, SimulationRow } from './repository.ts';

type Before = Awaited<ReturnType<typeof listResultsBefore>>;
type Counts = SimulationSummary['counts'];

/** How many results came to what. */
export function countsOf(outcomes: readonly Pick<OutcomeCount, 'outcome' | 'count'>[]): Counts {
  const counts: Counts = { all: 0, open: 0, passed: 0, failed: 0, notJudged: 0, notRun: 0 };
  for (const { outcome, count } of outcomes) {
    counts.all += count;
    counts[outcome === null ? 'open' : COUNTED_AS[outcome]] += count;
  }
  return counts;
}

const COUNTED_AS = {
  passed: 'passed',
  failed: 'failed',
  not_judged: 'notJudged',
  broken: 'notRun',
  interrupted: 'notRun',
  cancelled: 'notRun',
} as const;

export function shownSummary(row: SimulationRow, counts: Counts): SimulationSummary {
  return {
    id: row.id,
    agentId: row.agentId,
    status: row.status,
    mode: row.mode,
    passed: row.status === 'running' ? null : counts.passed === counts.all,
    counts,
    version: { id: row.agentVersionId, number: row.versionNumber },
    startedBy: row.startedBy,
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  };
}

/** A simulation beside the runs before of its scenarios. */
export function shownSimulation(
  row: SimulationRow,
  results: readonly ResultRow[],
  { before, hasTranscripts }: { before: Before; hasTranscripts: boolean },
): Omit<Simulation, 'awaitsComparison'> {
  const shown = results.map((result) => shownResult(result, before, hasTranscripts));
  return {
    ...shownSummary(row, countsOf(results.map(({ outcome }) => ({ outcome, count: 1 })))),
    worse: shown.filter(({ change }) => change === 'worse').length,
    better: shown.filter(({ change }) => change === 'better').length,
    results: shown,
  };
}

function shownResult(row: ResultRow, before: Before, hasTranscripts: boolean): SimulationResult {
  const { report } = row;
  const verdicts = report?.verdicts ?? [];
  const answeredBy = report?.answeredBy ?? null;
  const { scenarioId, outcome } = row;
  const compared = compareResult({ scenarioId, outcome, verdicts, answeredBy }, before);
  return {
    id: row.id,
    scenarioId: row.scenarioId,
    scenarioName: row.scenarioName,
    status: row.status,
    outcome: row.outcome,
    reason: row.reason,
    change: row.status === 'ended' ? compared.change : null,
    outcomeBefore: compared.before,
    verdicts: verdicts.map((verdict, index) => ({
      ...verdict,
      before: compared.statesBefore[index] ?? null,
    })),
    playedBy: report?.playedBy ?? null,
    answeredBy,
    endedBy: report?.endedBy ?? null,
    endReason: report?.endReason ?? null,
    durationMs: report?.durationMs ?? null,
    tookMs: report?.tookMs ?? null,
    heardBy: report?.heardBy ?? null,
    ...(hasTranscripts && report ? shownConversation(report) : {}),
  };
}

function shownConversation({ turns, toolUses, unheard = [] }: ResultReport) {
  return { turns, toolUses, ...(unheard.length > 0 ? { unheard } : {}) };
}
