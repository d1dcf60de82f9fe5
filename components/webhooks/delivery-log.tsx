'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Download, Webhook } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useDownload } from '#components/forms/use-download.ts';
import { webhooksPath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { DropdownMenu, MenuItem } from '#components/ui/dropdown-menu.tsx';
import { EmptyState, ErrorState } from '#components/ui/empty-state.tsx';
import { Link } from '#components/ui/link.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { Select } from '#components/ui/select.tsx';
import { TableSkeleton } from '#components/ui/skeleton.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#components/ui/table.tsx';
import { type DeliverySummary, exportWebhookDeliveries } from '#lib/features/webhooks/contract.ts';
import { type DeliveryFilter, webhookQueries } from '#lib/features/webhooks/queries.ts';
import { DeliveryState, KIND_LABELS } from './delivery-state.tsx';

const STATUSES = [
  { value: '', label: 'Every status' },
  { value: 'failed', label: 'Failed' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'open', label: 'Under way' },
];
const KINDS = [
  { value: '', label: 'Every kind' },
  ...Object.entries(KIND_LABELS).map(([value, label]) => ({ value, label })),
];

/** Every attempt, latest first. With a `callId`, those of one conversation. */
export function DeliveryLog({ callId }: { callId?: string }) {
  const { id: workspaceId, role } = useWorkspace();
  const [status, setStatus] = useState('');
  const [kind, setKind] = useState('');
  const filter: DeliveryFilter = {
    callId,
    status: status === '' ? undefined : (status as NonNullable<DeliveryFilter['status']>),
    kind: kind === '' ? undefined : (kind as NonNullable<DeliveryFilter['kind']>),
  };
  const log = useDeliveries(workspaceId, filter);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-base font-semibold text-ink">Deliveries</h2>
        <div className="flex flex-wrap gap-2">
          <Select
            aria-label="Status"
            options={STATUSES}
            value={status}
            onValueChange={setStatus}
            className="w-36!"
          />
          <Select aria-label="Kind" options={KINDS} value={kind} onValueChange={setKind} className="w-32!" />
          {role === 'viewer' ? null : <ExportMenu filter={filter} />}
        </div>
      </div>
      <DeliveryPages log={log} isFiltered={status !== '' || kind !== ''} />
    </div>
  );
}

function useDeliveries(workspaceId: string, filter: DeliveryFilter) {
  return useInfiniteQuery(webhookQueries.deliveries(workspaceId, filter));
}

type DeliveryPagesProps = { log: ReturnType<typeof useDeliveries>; isFiltered: boolean };

/** What was loaded so far, or why there is nothing. */
function DeliveryPages({ log, isFiltered }: DeliveryPagesProps) {
  const deliveries = log.data?.pages.flatMap((page) => page.deliveries);
  if (!deliveries) {
    return log.error ? (
      <ErrorState
        title="The deliveries could not be loaded"
        description={describeFailure(log.error)}
        actions={<Button onClick={() => void log.refetch()}>Try again</Button>}
      />
    ) : (
      <TableSkeleton label="Loading deliveries" rows={6} />
    );
  }
  if (deliveries.length === 0) {
    return (
      <EmptyState
        icon={<Webhook />}
        title={isFiltered ? 'No delivery matches' : 'Nothing was sent yet'}
        description={
          isFiltered
            ? 'Choose another status or kind.'
            : 'Set a URL, turn the webhook on for an agent, and place a call, or send a test event.'
        }
      />
    );
  }
  return (
    <>
      <DeliveryTable deliveries={deliveries} />
      {log.hasNextPage ? (
        <Button
          className="self-center"
          isBusy={log.isFetchingNextPage}
          onClick={() => void log.fetchNextPage()}
        >
          Load more
        </Button>
      ) : null}
    </>
  );
}

function ExportMenu({ filter }: { filter: DeliveryFilter }) {
  const download = useDownload();
  const start = (format: 'csv' | 'jsonl') =>
    download.start({
      operation: exportWebhookDeliveries,
      query: { ...filter, format },
      filename: `webhook-deliveries.${format}`,
    });
  return (
    <DropdownMenu
      trigger={
        <Button isBusy={download.isPending}>
          {download.isPending ? null : <Download aria-hidden="true" />}
          Export
        </Button>
      }
    >
      <MenuItem onSelect={() => start('csv')}>Table (CSV)</MenuItem>
      <MenuItem onSelect={() => start('jsonl')}>JSON lines</MenuItem>
    </DropdownMenu>
  );
}

function DeliveryTable({ deliveries }: { deliveries: DeliverySummary[] }) {
  const { id: workspaceId } = useWorkspace();
  return (
    <Table caption="Deliveries">
      <TableHead>
        <TableHeader>Time</TableHeader>
        <TableHeader>Status</TableHeader>
        <TableHeader className="hidden sm:table-cell">Kind</TableHeader>
        <TableHeader className="hidden md:table-cell">Address</TableHeader>
        <TableHeader>Answer</TableHeader>
        <TableHeader className="hidden lg:table-cell">Duration</TableHeader>
      </TableHead>
      <TableBody>
        {deliveries.map((delivery) => (
          <TableRow key={delivery.id} className="relative">
            <TableCell className="whitespace-nowrap">
              <Link
                href={webhooksPath(workspaceId, delivery.id)}
                className="rounded-sm font-medium text-ink after:absolute after:inset-0 hover:text-accent-text"
              >
                <Moment iso={delivery.createdAt} />
              </Link>
            </TableCell>
            <TableCell>
              <DeliveryState status={delivery.status} />
            </TableCell>
            <TableCell className="hidden sm:table-cell">
              <Badge tone={delivery.kind === 'call' ? 'neutral' : 'accent'}>
                {KIND_LABELS[delivery.kind]}
              </Badge>
            </TableCell>
            <TableCell className="hidden w-full max-w-0 md:table-cell">
              <p className="truncate text-ink-muted">{delivery.url}</p>
              {delivery.error ? <p className="truncate text-xs text-danger-text">{delivery.error}</p> : null}
            </TableCell>
            <TableCell className="figures whitespace-nowrap text-ink-muted">
              {delivery.responseStatus ?? '–'}
            </TableCell>
            <TableCell className="figures hidden whitespace-nowrap text-ink-muted lg:table-cell">
              {delivery.durationMs === null ? '–' : `${delivery.durationMs.toLocaleString('en-US')} ms`}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
