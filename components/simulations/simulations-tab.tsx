'use client';

import { useSuspenseQuery } from '@tanstack/react-query';
import { FlaskConical, Play, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useAgent, useMayEdit } from '#components/agents/use-agent.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Badge, StatusDot } from '#components/ui/badge.tsx';
import { Button, buttonClasses } from '#components/ui/button.tsx';
import { EmptyState, Notice } from '#components/ui/empty-state.tsx';
import { Link } from '#components/ui/link.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#components/ui/table.tsx';
import { DraftChoice, type Tried, triedVersionId } from '#components/versions/draft-choice.tsx';
import { simulationQueries } from '#lib/features/simulations/queries.ts';
import type { Scenario } from '#lib/features/simulations/scenarios/contract.ts';
import type { SimulationMode } from '#lib/features/simulations/rules.ts';
import { ModeChoice } from './mode-choice.tsx';
import { useSimulationsPath, useStartSimulation } from './use-start.ts';
import { STATUSES, tallyWords, versionWords } from './wording.ts';

/** What the agent is tried with, and what came of it. */
export function SimulationsTab({ agentId }: { agentId: string }) {
  const { id: workspaceId } = useWorkspace();
  const { data: scenarios } = useSuspenseQuery(simulationQueries.scenarios(workspaceId, agentId));
  const kept = useAgent(agentId);
  const [chosen, setChosen] = useState<Tried>();
  const [mode, setMode] = useState<SimulationMode>('text');
  const mayEdit = useMayEdit();
  const start = useStartSimulation(agentId);
  const versionId = triedVersionId(kept, chosen);
  const tried = { mode, ...(versionId === undefined ? {} : { agentVersionId: versionId }) };
  const path = useSimulationsPath(agentId);
  const create = mayEdit ? (
    <Link
      href={path('scenarios/new')}
      className={buttonClasses({ variant: scenarios.length === 0 ? 'primary' : 'secondary' })}
    >
      <Plus aria-hidden="true" />
      New scenario
    </Link>
  ) : null;
  if (scenarios.length === 0) return <NoScenarios agentId={agentId} create={create} />;
  return (
    <div className="flex flex-col gap-6">
      <section aria-labelledby="scenarios" className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 id="scenarios" className="text-base font-semibold">
            Scenarios
          </h2>
          <span className="flex flex-wrap gap-2">
            {create}
            {mayEdit ? (
              <Button variant="primary" isBusy={start.isPending} onClick={() => start.mutate(tried)}>
                <Play aria-hidden="true" />
                Run all
              </Button>
            ) : null}
          </span>
        </div>
        {mayEdit ? (
          <div className="grid gap-4 sm:grid-cols-2">
            <ModeChoice agentId={agentId} mode={mode} onChoose={setMode} />
            <DraftChoice agentId={agentId} chosen={chosen} onChoose={setChosen} />
          </div>
        ) : null}
        {kept.hasLanguageModel ? null : <AnsweredByRules />}
        <ul className="flex flex-col gap-2">
          {scenarios.map((scenario) => (
            <ScenarioRow
              key={scenario.id}
              scenario={scenario}
              href={path(`scenarios/${encodeURIComponent(scenario.id)}`)}
              onRun={mayEdit ? () => start.mutate({ ...tried, scenarios: [scenario.id] }) : undefined}
            />
          ))}
        </ul>
      </section>
      <Runs agentId={agentId} />
    </div>
  );
}

function AnsweredByRules() {
  return (
    <Notice tone="warning" title="Built-in rules answer, which do not follow the wording of a prompt">
      They take names, hours, prices and questions from it; how else it is worded has no effect, and sentences
      about a conversation are not judged. Set OPENAI_API_KEY or OPENAI_BASE_URL to try the wording.
    </Notice>
  );
}

function NoScenarios({ agentId, create }: { agentId: string; create: ReactNode }) {
  return (
    <>
      <EmptyState
        icon={<FlaskConical />}
        title="No scenarios yet"
        description="A scenario says who calls, what they want, and what must and must not happen. The agent talks to each of them in seconds, before real people call."
        actions={create}
      />
      <Runs agentId={agentId} />
    </>
  );
}

function ScenarioRow({
  scenario,
  href,
  onRun,
}: {
  scenario: Scenario;
  href: string;
  onRun: (() => void) | undefined;
}) {
  const { caller, criteria, direction } = scenario.content;
  const count = criteria.length === 1 ? 'One criterion' : `${criteria.length} criteria`;
  return (
    <li className="relative flex items-center justify-between gap-4 rounded-lg border border-line bg-surface px-4 py-3 shadow-card transition-colors hover:border-line-strong">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-2">
          <h3 className="min-w-0 text-sm font-medium wrap-anywhere">
            <Link href={href} className="rounded-sm after:absolute after:inset-0 hover:text-accent-text">
              {scenario.name}
            </Link>
          </h3>
          {direction === 'OUTBOUND' ? <Badge>Is called</Badge> : null}
          {caller.playedBy === 'model' ? <Badge tone="accent">Played by the model</Badge> : null}
        </div>
        <p className="mt-0.5 line-clamp-2 text-sm text-ink-subtle">
          {count}
          {caller.description === '' ? '' : ` · ${caller.description}`}
        </p>
      </div>
      {onRun ? (
        <Button size="sm" className="relative z-10" aria-label={`Run ${scenario.name}`} onClick={onRun}>
          <Play aria-hidden="true" />
          Run
        </Button>
      ) : null}
    </li>
  );
}

function Runs({ agentId }: { agentId: string }) {
  const { id: workspaceId } = useWorkspace();
  const { data: simulations } = useSuspenseQuery(simulationQueries.list(workspaceId, agentId));
  const path = useSimulationsPath(agentId);
  if (simulations.length === 0) return null;
  return (
    <section aria-labelledby="runs" className="mt-2 flex flex-col gap-3">
      <h2 id="runs" className="text-base font-semibold">
        Runs
      </h2>
      <Table caption="Simulations, the latest first">
        <TableHead>
          <TableHeader>Begun</TableHeader>
          <TableHeader>Results</TableHeader>
          <TableHeader className="hidden sm:table-cell">Of</TableHeader>
          <TableHeader className="hidden md:table-cell">By</TableHeader>
        </TableHead>
        <TableBody>
          {simulations.map((simulation) => (
            <TableRow key={simulation.id}>
              <TableCell className="whitespace-nowrap">
                <Link href={path(simulation.id)} className="rounded-sm font-medium text-ink hover:underline">
                  <Moment iso={simulation.createdAt} />
                </Link>
              </TableCell>
              <TableCell>
                <StatusDot tone={toneOf(simulation)} isLive={simulation.status === 'running'}>
                  <span className="figures">
                    {tallyWords(simulation) || STATUSES[simulation.status].label}
                  </span>
                </StatusDot>
              </TableCell>
              <TableCell className="hidden whitespace-nowrap text-ink-muted sm:table-cell">
                {versionWords(simulation)}
                {simulation.mode === 'audio' ? ', with sound' : null}
              </TableCell>
              <TableCell className="hidden max-w-48 truncate text-ink-muted md:table-cell">
                {simulation.startedBy}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </section>
  );
}

function toneOf({
  status,
  counts,
}: {
  status: string;
  counts: { failed: number; notJudged: number; notRun: number };
}) {
  if (status === 'running') return 'accent';
  if (counts.failed > 0) return 'danger';
  return counts.notJudged + counts.notRun > 0 ? 'warning' : 'success';
}
