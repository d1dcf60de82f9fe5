'use client';

import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { ArrowLeft, RotateCcw, TrendingDown, TrendingUp, X } from 'lucide-react';
import { useAgent, useMayEdit } from '#components/agents/use-agent.ts';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import { Link } from '#components/ui/link.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { Progress } from '#components/ui/progress.tsx';
import { useToast } from '#components/ui/toast.tsx';
import type { Simulation } from '#lib/features/simulations/contract.ts';
import { cancelSimulation } from '#lib/features/simulations/dashboard/contract.ts';
import { simulationQueries } from '#lib/features/simulations/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { ResultCard } from './result-card.tsx';
import { useSimulationsPath, useStartSimulation } from './use-start.ts';
import {
  hearingSentence,
  isAnsweredByRules,
  RULES_ANSWERED,
  STATUSES,
  tallyWords,
  versionWords,
} from './wording.ts';

/** What came of a simulation, while it runs and afterwards. */
export function SimulationView({ agentId, simulationId }: { agentId: string; simulationId: string }) {
  const { id: workspaceId } = useWorkspace();
  const { data: simulation } = useSuspenseQuery(simulationQueries.detail(workspaceId, agentId, simulationId));
  const path = useSimulationsPath(agentId);
  const { counts } = simulation;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="flex min-w-0 flex-col gap-1">
          <Link
            href={path()}
            className="flex items-center gap-1 self-start rounded-sm text-sm text-ink-muted hover:text-ink"
          >
            <ArrowLeft aria-hidden="true" className="size-3.5" />
            Simulations
          </Link>
          <h2 className="flex flex-wrap items-center gap-2 text-lg font-semibold">
            <span>
              {versionWords(simulation)}, <Moment iso={simulation.createdAt} />
            </span>
            <Badge tone={STATUSES[simulation.status].tone}>{STATUSES[simulation.status].label}</Badge>
            {simulation.mode === 'audio' ? <Badge>With sound</Badge> : null}
          </h2>
          <output className="figures text-sm text-ink-muted">{tallyWords(simulation)}</output>
          {simulation.mode === 'audio' ? (
            <p className="text-sm text-pretty text-ink-subtle">{hearingSentence(simulation)}</p>
          ) : null}
        </div>
        <Actions agentId={agentId} simulation={simulation} />
      </div>
      {simulation.status === 'running' ? (
        <Progress
          label="Conversations that are over"
          value={counts.all - counts.open}
          max={Math.max(1, counts.all)}
        />
      ) : null}
      {simulation.awaitsComparison ? (
        <p className="text-sm text-ink-subtle">What is published is being run as well, to compare with.</p>
      ) : null}
      {isAnsweredByRules(simulation) ? (
        <Notice tone="warning" title="Rules answered, which do not follow the wording of a prompt">
          {RULES_ANSWERED} Nothing of it is called better.
        </Notice>
      ) : null}
      <Changes simulation={simulation} />
      <ol className="flex flex-col gap-3">
        {simulation.results.map((result) => (
          <ResultCard key={result.id} result={result} />
        ))}
      </ol>
    </div>
  );
}

/** What got worse and better against the run before of each scenario. */
function Changes({ simulation: { worse, better, results } }: { simulation: Simulation }) {
  const named = (change: string) =>
    results
      .filter((result) => result.change === change)
      .map(({ scenarioName }) => scenarioName)
      .join(', ');
  return (
    <>
      {worse > 0 ? (
        <Notice tone="danger" icon={<TrendingDown aria-hidden="true" />} title={`${worse} got worse`}>
          Something that passed in the last run of a published version failed now: {named('worse')}
        </Notice>
      ) : null}
      {better > 0 ? (
        <Notice tone="success" icon={<TrendingUp aria-hidden="true" />} title={`${better} got better`}>
          {named('better')}
        </Notice>
      ) : null}
    </>
  );
}

function Actions({ agentId, simulation }: { agentId: string; simulation: Simulation }) {
  const { id: workspaceId } = useWorkspace();
  const mayEdit = useMayEdit();
  const { draft } = useAgent(agentId);
  const start = useStartSimulation(agentId);
  const queryClient = useQueryClient();
  const toast = useToast();
  const params = { agentId, simulationId: simulation.id };
  const cancel = useMutation({
    mutationFn: () => callOperation(cancelSimulation, { params }, { workspaceId }),
    onSuccess: () =>
      void queryClient.invalidateQueries({ queryKey: simulationQueries.root(workspaceId, agentId) }),
    onError: (error) => toast({ title: describeFailure(error), tone: 'danger' }),
  });
  if (!mayEdit) return null;
  if (simulation.status === 'running')
    return (
      <Button isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
        <X aria-hidden="true" />
        Cancel
      </Button>
    );
  const { mode, version, results } = simulation;
  const scenarios = results.map(({ scenarioId }) => scenarioId);
  // Of a draft the one of now: it was changed since.
  const tried = version.number === null && draft !== null ? { agentVersionId: draft.versionId } : {};
  return (
    <Button isBusy={start.isPending} onClick={() => start.mutate({ ...tried, scenarios, mode })}>
      <RotateCcw aria-hidden="true" />
      Run again
    </Button>
  );
}
