'use client';

import { useQuery } from '@tanstack/react-query';
import { describeFailure } from '#components/forms/server-problems.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Card } from '#components/ui/card.tsx';
import { ErrorState } from '#components/ui/empty-state.tsx';
import { Link } from '#components/ui/link.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { splitQueries } from '#lib/features/publishing/splits/queries.ts';
import type { Split } from '#lib/features/publishing/splits/contract.ts';
import { SplitCard } from './split-card.tsx';
import { endWords, splitTitle } from './wording.ts';

/** The share that runs, with its results. */
export function RunningSplit({ agentId }: { agentId: string }) {
  const { id: workspaceId } = useWorkspace();
  const { data, error } = useQuery(splitQueries.list(workspaceId, agentId));
  if (error)
    return (
      <ErrorState title="The split of the traffic could not be loaded" description={describeFailure(error)} />
    );
  const running = data?.find(({ endedAt }) => endedAt === null);
  return running ? <SplitCard split={running} /> : null;
}

/** Those that are over, each leading to its results. */
export function EarlierSplits({ agentId }: { agentId: string }) {
  const { id: workspaceId } = useWorkspace();
  const { data = [] } = useQuery(splitQueries.list(workspaceId, agentId));
  const over = data.filter(({ endedAt }) => endedAt !== null);
  if (over.length === 0) return null;
  return (
    <Card
      title="Earlier splits of the traffic"
      description="Versions that got a share of the conversations, with their results."
      isFlush
    >
      <ul className="divide-y divide-line">
        {over.map((split) => (
          <Over key={split.id} workspaceId={workspaceId} split={split} />
        ))}
      </ul>
    </Card>
  );
}

function Over({ workspaceId, split }: { workspaceId: string; split: Split }) {
  return (
    <li className="px-4 py-3 sm:px-5">
      <Link
        href={workspacePath(workspaceId, `splits/${encodeURIComponent(split.id)}`)}
        className="rounded-sm font-medium text-ink hover:underline"
      >
        {splitTitle(split)}
      </Link>
      <p className="text-xs text-ink-subtle">
        <Moment iso={split.startedAt} /> to <Moment iso={split.endedAt ?? split.startedAt} />,{' '}
        {endWords(split)}
      </p>
    </li>
  );
}
