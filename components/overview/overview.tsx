'use client';

import { useTransition } from 'react';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useQuery } from '@tanstack/react-query';
import { ChartNoAxesColumn } from 'lucide-react';
import { TalkLink } from '#components/agents/talk-link.tsx';
import { changedQuery } from '#components/conversations/filter.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { EmptyState, ErrorState } from '#components/ui/empty-state.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { Select } from '#components/ui/select.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import { agentQueries } from '#lib/features/agents/queries.ts';
import type { Overview as OverviewData } from '#lib/features/overview/contract.ts';
import { overviewQueries, type OverviewFilter } from '#lib/features/overview/queries.ts';
import { AttentionCard } from './attention-card.tsx';
import { ChartCard } from './chart-card.tsx';
import { chartsOf } from './charts.ts';
import { FigureTiles } from './figure-tiles.tsx';
import { listPath, presetOf, readOverviewFilter, type ListFilter } from './range.ts';
import { RangePicker } from './range-picker.tsx';
import { AgentsCard, PromptsCard } from './parts.tsx';
import { TagsCard } from './tags-card.tsx';
import { Welcome } from './welcome.tsx';
import { rangeText } from './wording.ts';

/** How the workspace is doing; a workspace without conversations is welcomed instead. */
export function Overview() {
  const workspace = useWorkspace();
  const filter = readOverviewFilter(Object.fromEntries(useSearchParams()));
  const overview = useQuery(overviewQueries.figures(workspace.id, filter));
  if (overview.isPending)
    return (
      <>
        <Header />
        <Skeleton className="h-96" />
      </>
    );
  if (overview.isError)
    return (
      <>
        <Header />
        <ErrorState
          title="The overview could not be loaded"
          description={overview.error.message}
          actions={<Button onClick={() => void overview.refetch()}>Try again</Button>}
        />
      </>
    );
  if (!overview.data.hasConversations)
    return (
      <>
        <Header />
        <Welcome />
        <AttentionCard isQuiet />
      </>
    );
  return (
    <>
      <Header actions={<Controls overview={overview.data} filter={filter} />} />
      <AttentionCard />
      <Figures overview={overview.data} filter={filter} isStale={overview.isPlaceholderData} />
    </>
  );
}

function Header({ actions }: { actions?: React.ReactNode }) {
  return (
    <PageHeader title="Overview" description="What your agents' conversations come to." actions={actions} />
  );
}

function Controls({ overview, filter }: { overview: OverviewData; filter: OverviewFilter }) {
  const workspace = useWorkspace();
  const router = useRouter();
  const pathname = usePathname();
  const params = useSearchParams();
  const [isPending, startTransition] = useTransition();
  const agents = useQuery(agentQueries.list(workspace.id));
  const change = (changes: Record<string, string | undefined>) =>
    startTransition(() => router.replace(`${pathname}${changedQuery(params, changes)}`, { scroll: false }));
  return (
    <>
      {isPending ? <Spinner className="text-ink-subtle" /> : null}
      <Select
        aria-label="Agent"
        value={filter.agentId ?? ''}
        onValueChange={(agentId) => change({ agentId })}
        options={[
          { value: '', label: 'All agents' },
          ...(agents.data ?? []).map((agent) => ({ value: agent.id, label: agent.name })),
        ]}
        className="w-auto! max-w-48 shrink-0"
      />
      <RangePicker
        filter={filter}
        shown={{ from: overview.from, to: overview.to, text: rangeText(overview, overview.timeZone) }}
        onChange={({ days, from, to }) => change({ days, from, to })}
      />
      {workspace.role === 'viewer' ? null : <TalkLink />}
    </>
  );
}

function Figures({
  overview,
  filter,
  isStale,
}: {
  overview: OverviewData;
  filter: OverviewFilter;
  isStale: boolean;
}) {
  const { id: workspaceId } = useWorkspace();
  const { timeZone, totals } = overview;
  const ofAgent: ListFilter = { agentId: filter.agentId };
  const hrefOf = (list: ListFilter) => listPath(workspaceId, overview, { ...ofAgent, ...list });
  const isEmpty = totals.current.calls + totals.current.chats === 0;
  const rangeName = presetOf(filter)?.label ?? rangeText(overview, timeZone);
  return (
    <div className="flex flex-col gap-6" aria-busy={isStale}>
      <div className="flex flex-col gap-2">
        <FigureTiles totals={totals} hrefOf={hrefOf} />
        <p className="text-xs text-ink-subtle">
          {`${rangeText(overview, timeZone)}, beside ${rangeText(overview.before, timeZone)}${overview.unit === 'hour' ? ' as far as the same time' : ''}. Days of ${timeZone.replaceAll('_', ' ')}; tests are left out.`}
        </p>
      </div>
      {isEmpty ? (
        <EmptyState
          icon={<ChartNoAxesColumn />}
          title="No conversations in these days"
          description={
            filter.agentId === undefined ? 'Choose a wider range.' : 'Choose a wider range, or all agents.'
          }
        />
      ) : (
        <>
          <div className="grid gap-4 xl:grid-cols-2">
            {chartsOf(overview, workspaceId, ofAgent).map((chart) => (
              <ChartCard key={chart.title} chart={chart} rangeName={rangeName} />
            ))}
          </div>
          <AgentsCard overview={overview} hrefOf={hrefOf} />
          <PromptsCard overview={overview} hrefOf={hrefOf} />
          {overview.tags.length === 0 ? null : <TagsCard overview={overview} hrefOf={hrefOf} />}
        </>
      )}
    </div>
  );
}
