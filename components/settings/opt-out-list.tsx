'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Download, PhoneOff, Search } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useDownload } from '#components/forms/use-download.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useMayManage } from '#components/layout/use-may-manage.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { EmptyState, ErrorState } from '#components/ui/empty-state.tsx';
import { Input } from '#components/ui/input.tsx';
import { Link } from '#components/ui/link.tsx';
import { LoadMore } from '#components/ui/load-more.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { TableSkeleton } from '#components/ui/skeleton.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#components/ui/table.tsx';
import { useSettled } from '#components/ui/use-settled.ts';
import { exportOptOuts, type OptOut } from '#lib/features/opt-outs/contract.ts';
import { optOutQueries } from '#lib/features/opt-outs/queries.ts';
import { formatPhoneNumber } from '#lib/phone-number.ts';
import { AddOptOutDialog, ImportOptOutsDialog, RemoveOptOut } from './opt-out-dialogs.tsx';

const TYPING_PAUSE_MS = 250;

/** Who is not called again. */
export function OptOutList() {
  const { id: workspaceId, role } = useWorkspace();
  const [typed, setTyped] = useState('');
  const search = useSettled(typed.trim(), TYPING_PAUSE_MS);
  const list = useInfiniteQuery(optOutQueries.list(workspaceId, search));
  const optOuts = list.data?.pages.flatMap((page) => page.optOuts);
  return (
    <div className="flex max-w-5xl flex-col gap-4">
      <p className="max-w-2xl text-sm text-pretty text-ink-muted">
        These people are not called: a call to one of them is refused, and one that waits ends undialled.
        Somebody who says “do not call me again” is added by the agent. Their own calls are still taken.
      </p>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Input
          type="search"
          aria-label="Search the opt-outs"
          placeholder="Number, note or name"
          icon={<Search />}
          className="w-full sm:w-72"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        {role === 'viewer' ? null : <Actions />}
      </div>
      {optOuts ? (
        <>
          {optOuts.length === 0 ? (
            <Nothing isSearched={search !== ''} />
          ) : (
            <OptOutTable optOuts={optOuts} search={search} />
          )}
          <LoadMore list={list} />
        </>
      ) : list.error ? (
        <ErrorState
          title="The opt-outs could not be loaded"
          description={describeFailure(list.error)}
          actions={<Button onClick={() => void list.refetch()}>Try again</Button>}
        />
      ) : (
        <TableSkeleton label="Loading the opt-outs" />
      )}
    </div>
  );
}

function Actions() {
  const mayManage = useMayManage();
  const download = useDownload();
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        isBusy={download.isPending}
        onClick={() => download.start({ operation: exportOptOuts, filename: 'opt-outs.csv' })}
      >
        <Download aria-hidden="true" />
        Export
      </Button>
      {mayManage ? <ImportOptOutsDialog /> : null}
      <AddOptOutDialog />
    </div>
  );
}

function Nothing({ isSearched }: { isSearched: boolean }) {
  return isSearched ? (
    <EmptyState
      icon={<Search />}
      title="No opt-out matches"
      description="Try fewer digits, or a part of the note."
    />
  ) : (
    <EmptyState
      icon={<PhoneOff />}
      title="Nobody has opted out"
      description="Whoever asks not to be called again is listed here, and is not called again."
    />
  );
}

function OptOutTable({ optOuts, search }: { optOuts: OptOut[]; search: string }) {
  const mayManage = useMayManage();
  return (
    <Table caption={search === '' ? 'Opt-outs, latest first' : `Opt-outs that match ${search}`}>
      <TableHead>
        <TableHeader>Number</TableHeader>
        <TableHeader>Asked</TableHeader>
        <TableHeader className="hidden md:table-cell">Note</TableHeader>
        <TableHeader className="hidden sm:table-cell">Since</TableHeader>
        <TableHeader>
          <span className="sr-only">Actions</span>
        </TableHeader>
      </TableHead>
      <TableBody>
        {optOuts.map((optOut) => (
          <TableRow key={optOut.number}>
            <TableCell className="figures font-medium whitespace-nowrap text-ink">
              {formatPhoneNumber(optOut.number)}
              <span className="block text-xs font-normal text-ink-subtle sm:hidden">
                <Moment iso={optOut.createdAt} />
              </span>
            </TableCell>
            <TableCell className="text-ink-muted">
              <Asked optOut={optOut} />
            </TableCell>
            <TableCell className="hidden w-full max-w-0 truncate text-ink-muted md:table-cell">
              {optOut.note ?? ''}
            </TableCell>
            <TableCell className="hidden whitespace-nowrap text-ink-muted sm:table-cell">
              <Moment iso={optOut.createdAt} />
            </TableCell>
            <TableCell className="text-right">
              {mayManage ? <RemoveOptOut number={optOut.number} /> : null}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function Asked({ optOut }: { optOut: OptOut }) {
  const { id: workspaceId } = useWorkspace();
  if (optOut.source !== 'call' || optOut.conversationId === null)
    return (
      <>
        {optOut.source === 'api' ? 'by API' : 'by hand'}
        <span className="block text-xs break-all text-ink-subtle">{optOut.addedBy}</span>
      </>
    );
  return (
    <Link
      className="rounded-sm text-accent-text underline-offset-4 hover:underline"
      href={workspacePath(workspaceId, `conversations/${encodeURIComponent(optOut.conversationId)}`)}
    >
      on a call
    </Link>
  );
}
