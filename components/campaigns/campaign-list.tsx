'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { Megaphone, Plus } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button, buttonClasses } from '#components/ui/button.tsx';
import { EmptyState, ErrorState } from '#components/ui/empty-state.tsx';
import { Link } from '#components/ui/link.tsx';
import { LoadMore } from '#components/ui/load-more.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { Progress } from '#components/ui/progress.tsx';
import { TableSkeleton } from '#components/ui/skeleton.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#components/ui/table.tsx';
import type { Campaign } from '#lib/features/campaigns/contract.ts';
import { campaignQueries } from '#lib/features/campaigns/queries.ts';
import { StateBadge } from './state-badge.tsx';
import { count, fractionDone } from './wording.ts';

export function CampaignList() {
  const { id: workspaceId } = useWorkspace();
  const list = useInfiniteQuery(campaignQueries.list(workspaceId));
  const campaigns = list.data?.pages.flatMap((page) => page.campaigns);
  return (
    <>
      <PageHeader
        title="Campaigns"
        description="Lists of people whom an agent calls one after another."
        actions={<NewLink />}
      />
      {campaigns ? (
        campaigns.length === 0 ? (
          <EmptyState
            icon={<Megaphone />}
            title="No campaigns yet"
            description="Choose a table of people, see what is wrong with it before anybody is called, and let an agent call them at the pace and in the hours that you set."
            actions={<NewLink />}
          />
        ) : (
          <div className="flex flex-col gap-3">
            <CampaignTable campaigns={campaigns} />
            <LoadMore list={list} />
          </div>
        )
      ) : list.error ? (
        <ErrorState
          title="The campaigns could not be loaded"
          description={describeFailure(list.error)}
          actions={<Button onClick={() => void list.refetch()}>Try again</Button>}
        />
      ) : (
        <TableSkeleton label="Loading campaigns" rows={5} />
      )}
    </>
  );
}

function NewLink() {
  const { id: workspaceId, role } = useWorkspace();
  if (role === 'viewer') return null;
  return (
    <Link
      href={workspacePath(workspaceId, 'campaigns/new')}
      className={buttonClasses({ variant: 'primary' })}
    >
      <Plus aria-hidden="true" />
      New campaign
    </Link>
  );
}

function CampaignTable({ campaigns }: { campaigns: readonly Campaign[] }) {
  const { id: workspaceId } = useWorkspace();
  return (
    <Table caption="Campaigns, the latest first">
      <TableHead>
        <TableHeader>Name</TableHeader>
        <TableHeader>State</TableHeader>
        <TableHeader className="hidden sm:table-cell">Calls placed</TableHeader>
        <TableHeader className="hidden md:table-cell">Left out</TableHeader>
        <TableHeader className="hidden lg:table-cell">Made</TableHeader>
      </TableHead>
      <TableBody>
        {campaigns.map((campaign) => (
          <TableRow key={campaign.id}>
            <TableCell className="w-full max-w-0 min-w-32">
              <Link
                href={workspacePath(workspaceId, `campaigns/${encodeURIComponent(campaign.id)}`)}
                className="block truncate rounded-sm font-medium text-ink hover:underline"
              >
                {campaign.name}
              </Link>
              <span className="figures block text-xs text-ink-subtle sm:hidden">
                {placedWords(campaign)} calls placed
              </span>
            </TableCell>
            <TableCell>
              <StateBadge campaign={campaign} />
            </TableCell>
            <TableCell className="hidden sm:table-cell">
              <span className="figures flex min-w-32 flex-col gap-1 text-ink-muted">
                {placedWords(campaign)}
                <Progress label={`Calls placed in ${campaign.name}`} value={fractionDone(campaign) * 100} />
              </span>
            </TableCell>
            <TableCell className="figures hidden text-ink-muted md:table-cell">
              {count(campaign.counts.people - campaign.counts.callable)}
            </TableCell>
            <TableCell className="hidden whitespace-nowrap text-ink-muted lg:table-cell">
              <Moment iso={campaign.createdAt} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function placedWords({ counts }: Campaign): string {
  return `${count(counts.placed)} of ${count(counts.callable)}`;
}
