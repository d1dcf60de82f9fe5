'use client';

import { useEffect } from 'react';
import { usePathname, useSearchParams } from 'next/navigation';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { AudioLines, Download, PhoneCall, SearchX } from 'lucide-react';
import { TalkLink } from '#components/agents/talk-link.tsx';
import { workspacePath } from '#components/layout/navigation.ts';
import { Link } from '#components/ui/link.tsx';
import { SavedViews } from '#components/views/saved-views.tsx';
import { useMayManage } from '#components/layout/use-may-manage.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button, buttonClasses } from '#components/ui/button.tsx';
import { EmptyState, ErrorState } from '#components/ui/empty-state.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { Pagination } from '#components/ui/pagination.tsx';
import { TableSkeleton } from '#components/ui/skeleton.tsx';
import { conversationLinks, conversationQueries } from '#lib/features/conversations/queries.ts';
import { searchWords } from '#lib/features/conversations/rules.ts';
import { ChosenConversations } from './delete-conversation.tsx';
import { ConversationTable } from './conversation-table.tsx';
import { changedQuery, isFiltered, PAGE_SIZE, readSkip, requestedFilter } from './filter.ts';
import { FilterBar } from './filter-bar.tsx';
import { LiveCalls } from './live-calls.tsx';
import { useChosen } from './use-chosen.ts';
import { useCallListUpdates } from './use-call-updates.ts';

export function ConversationList() {
  const workspace = useWorkspace();
  const params = Object.fromEntries(useSearchParams());
  const filter = requestedFilter(params);
  const filtered = isFiltered(params);
  useCallListUpdates(workspace.id);
  return (
    <>
      <PageHeader
        title="Conversations"
        description="What your agents talked about, and how it ended."
        actions={
          <>
            <SavedViews />
            {workspace.role === 'viewer' ? null : (
              <>
                <TalkLink />
                <Link href={workspacePath(workspace.id, 'calls/new')} className={buttonClasses()}>
                  <PhoneCall aria-hidden="true" />
                  Place a call
                </Link>
              </>
            )}
            <a href={conversationLinks.export(workspace.id, filter)} download className={buttonClasses()}>
              <Download aria-hidden="true" />
              Export CSV
            </a>
          </>
        }
      />
      {filter.status === 'live' ? null : <LiveCalls />}
      <div className="flex flex-col gap-3">
        <FilterBar isFiltered={filtered} />
        <Results filter={filter} skip={readSkip(params)} isFiltered={filtered} />
      </div>
    </>
  );
}

type ResultsProps = { filter: ReturnType<typeof requestedFilter>; skip: number; isFiltered: boolean };

function Results({ filter, skip, isFiltered: filtered }: ResultsProps) {
  const workspace = useWorkspace();
  const pathname = usePathname();
  const params = useSearchParams();
  const list = useQuery({
    ...conversationQueries.list(workspace.id, filter, { limit: PAGE_SIZE, skip }),
    placeholderData: keepPreviousData,
  });
  useReturnToRow(list.isSuccess);
  const mayManage = useMayManage();
  const chosen = useChosen(
    (list.data?.calls ?? []).filter(({ status }) => status === 'ended').map(({ id }) => id),
  );
  if (list.isPending) return <TableSkeleton label="Loading conversations" rows={10} />;
  if (list.isError) {
    return (
      <ErrorState
        title="The conversations could not be loaded"
        description={list.error.message}
        actions={<Button onClick={() => void list.refetch()}>Try again</Button>}
      />
    );
  }
  const { calls, totalCount, isTotalExact } = list.data;
  const hrefAt = (position: number) =>
    `${pathname}${changedQuery(params, { skip: position > 0 ? String(position) : '' })}`;
  if (calls.length === 0)
    return <NothingFound isFiltered={filtered} firstPage={skip > 0 && totalCount > 0 ? hrefAt(0) : null} />;
  const hasNext = isTotalExact ? skip + calls.length < totalCount : calls.length === PAGE_SIZE;
  return (
    <div className="flex flex-col gap-3" aria-busy={list.isPlaceholderData}>
      <ConversationTable
        calls={calls}
        words={searchWords(filter.search)}
        chosen={mayManage ? chosen : null}
      />
      {chosen.ids.length > 0 ? <ChosenConversations ids={chosen.ids} onDone={chosen.clear} /> : null}
      <Pagination
        noun="conversations"
        firstShown={skip + 1}
        lastShown={skip + calls.length}
        total={totalCount}
        isTotalExact={isTotalExact}
        previousHref={skip > 0 ? hrefAt(Math.max(0, skip - PAGE_SIZE)) : null}
        nextHref={hasNext ? hrefAt(skip + PAGE_SIZE) : null}
      />
    </div>
  );
}

/** Coming back from a conversation, its row is in view and has the focus; the address names it after the #. */
function useReturnToRow(hasRows: boolean): void {
  useEffect(() => {
    const { hash } = window.location;
    if (!hasRows || hash === '') return;
    const rows = document.querySelectorAll<HTMLElement>('[data-call]');
    // The table and the cards are both there; one of them is hidden.
    const row = [...rows].find(
      (each) =>
        `#${encodeURIComponent(each.dataset.call ?? '')}` === hash && each.getClientRects().length > 0,
    );
    row?.scrollIntoView({ block: 'center' });
    row?.querySelector('a')?.focus({ preventScroll: true });
  }, [hasRows]);
}

type NothingFoundProps = {
  isFiltered: boolean;
  /** Where the address names a page past the end: the same list from its beginning. */
  firstPage: string | null;
};

function NothingFound({ isFiltered: filtered, firstPage }: NothingFoundProps) {
  const workspace = useWorkspace();
  const home = workspacePath(workspace.id, 'conversations');
  if (firstPage !== null) {
    return (
      <EmptyState
        icon={<SearchX />}
        title="There is nothing on this page"
        description="The list became shorter, or the address names a page past its end."
        actions={
          <Link href={firstPage} className={buttonClasses()}>
            Go to the first page
          </Link>
        }
      />
    );
  }
  if (filtered) {
    return (
      <EmptyState
        icon={<SearchX />}
        title="No conversation matches"
        description="Widen the dates, or take a filter away."
        actions={
          <Link href={home} className={buttonClasses()}>
            Clear all filters
          </Link>
        }
      />
    );
  }
  return (
    <EmptyState
      icon={<AudioLines />}
      title="No conversations yet"
      description="Every call of an agent, placed or received, appears here with its transcript, recording and outcome."
      actions={
        workspace.role === 'viewer' ? null : (
          <Link
            href={workspacePath(workspace.id, 'calls/new')}
            className={buttonClasses({ variant: 'primary' })}
          >
            Place the first call
          </Link>
        )
      }
    />
  );
}
