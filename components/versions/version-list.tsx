'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { describeFailure } from '#components/forms/server-problems.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { ErrorState } from '#components/ui/empty-state.tsx';
import { Link } from '#components/ui/link.tsx';
import { LoadMore } from '#components/ui/load-more.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { TableSkeleton } from '#components/ui/skeleton.tsx';
import type { VersionSummary } from '#lib/features/publishing/history/contract.ts';
import { versionQueries } from '#lib/features/publishing/history/queries.ts';
import { useAgent } from '#components/agents/use-agent.ts';
import { StartSplit } from '#components/splits/start-split.tsx';
import { EarlierSplits, RunningSplit } from '#components/splits/splits-section.tsx';
import { RestoreVersion } from './restore-version.tsx';
import { authorName, changeSentence, versionName } from './wording.ts';

/** Every saved change of an agent and its outbound prompts. */
export function VersionList({ agentId }: { agentId: string }) {
  const { id: workspaceId } = useWorkspace();
  const list = useInfiniteQuery(versionQueries.list(workspaceId, agentId));
  const versions = list.data?.pages.flatMap((page) => page.versions);
  if (!versions)
    return list.error ? (
      <ErrorState
        title="The versions could not be loaded"
        description={describeFailure(list.error)}
        actions={<Button onClick={() => void list.refetch()}>Try again</Button>}
      />
    ) : (
      <TableSkeleton label="Loading versions" rows={5} />
    );
  return (
    <div className="flex max-w-4xl flex-col gap-3">
      <RunningSplit agentId={agentId} />
      <Card
        title="Versions"
        description="Every saved change of this agent, its voice card and its outbound prompts, the latest first. Each conversation opens the version that it was held with. Numbers, knowledge bases and the website widget are no part of a version. An earlier version can get a share of the new conversations, beside what is published."
        isFlush
      >
        <ol className="divide-y divide-line">
          {versions.map((version) => (
            <Entry key={version.id} agentId={agentId} version={version} />
          ))}
        </ol>
      </Card>
      <LoadMore list={list} />
      <EarlierSplits agentId={agentId} />
    </div>
  );
}

function Entry({ agentId, version }: { agentId: string; version: VersionSummary }) {
  const { id: workspaceId, role } = useWorkspace();
  const { split } = useAgent(agentId);
  const isShared = split?.version.id === version.id;
  const name = versionName(version);
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-2">
          <Link
            href={workspacePath(workspaceId, `versions/${encodeURIComponent(version.id)}`)}
            className="rounded-sm font-medium text-ink hover:underline"
          >
            {name}
          </Link>
          {version.isPublished ? <Badge tone="success">Published</Badge> : null}
          {isShared ? <Badge tone="accent">{split.percent}% of conversations</Badge> : null}
          {version.isShareOnly && !isShared ? <Badge>Published for a share</Badge> : null}
        </p>
        <p className="text-sm wrap-anywhere text-ink-muted">{changeSentence(version)}</p>
        <p className="text-xs wrap-anywhere text-ink-subtle">
          {authorName(version)} · <Moment iso={version.createdAt} />
        </p>
      </div>
      {version.isPublished || isShared || role === 'viewer' ? null : (
        <span className="flex flex-wrap gap-2">
          {split === null ? <StartSplit agentId={agentId} version={version} /> : null}
          <RestoreVersion agentId={agentId} version={version} />
        </span>
      )}
    </li>
  );
}
