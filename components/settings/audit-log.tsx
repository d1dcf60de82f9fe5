'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { History } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { EmptyState, ErrorState } from '#components/ui/empty-state.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { Select } from '#components/ui/select.tsx';
import { TableSkeleton } from '#components/ui/skeleton.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#components/ui/table.tsx';
import type { AuditEvent } from '#lib/features/audit/contract.ts';
import { auditQueries } from '#lib/features/audit/queries.ts';
import { sentenceOf } from './audit-sentences.ts';

/** What an action's name begins with, and what that is called here. */
const NOUNS = [
  { value: '', label: 'Everything' },
  { value: 'account.', label: 'Sign-ins and accounts' },
  { value: 'call.', label: 'Calls by hand' },
  { value: 'recording.', label: 'Recordings' },
  { value: 'export.', label: 'Exports' },
  { value: 'agent.', label: 'Agents' },
  { value: 'outbound_prompt.', label: 'Outbound prompts' },
  { value: 'knowledge_base.', label: 'Knowledge bases' },
  { value: 'document.', label: 'Documents' },
  { value: 'key.', label: 'API keys' },
  { value: 'member.', label: 'Members' },
  { value: 'number.', label: 'Numbers' },
  { value: 'opt_out.', label: 'Opt-outs' },
  { value: 'tag.', label: 'Tags' },
  { value: 'webhook.', label: 'Webhooks' },
  { value: 'workspace.', label: 'Workspace' },
];

/** Who changed what, latest first. */
export function AuditLog() {
  const { id: workspaceId } = useWorkspace();
  const [noun, setNoun] = useState('');
  const log = useInfiniteQuery(auditQueries.list(workspaceId, { action: noun }));
  const events = log.data?.pages.flatMap((page) => page.events);
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-ink-muted">
          Every change in this workspace with who made it, and who signed in, exported, listened and called.
        </p>
        <Select
          aria-label="What was changed"
          options={NOUNS}
          value={noun}
          onValueChange={setNoun}
          className="w-44!"
        />
      </div>
      {events ? (
        events.length === 0 ? (
          <EmptyState
            icon={<History />}
            title="Nothing here"
            description={noun === '' ? 'Nothing happened yet.' : 'Nothing of this kind happened yet.'}
          />
        ) : (
          <>
            <EventTable events={events} />
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
        )
      ) : log.error ? (
        <ErrorState
          title="The audit log could not be loaded"
          description={describeFailure(log.error)}
          actions={<Button onClick={() => void log.refetch()}>Try again</Button>}
        />
      ) : (
        <TableSkeleton label="Loading the audit log" />
      )}
    </div>
  );
}

const ACTORS: Record<AuditEvent['actorKind'], string> = {
  api_key: 'API key',
  user: 'Person',
  system: 'Service',
};

function EventTable({ events }: { events: AuditEvent[] }) {
  return (
    <Table caption="Changes">
      <TableHead>
        <TableHeader className="hidden sm:table-cell">Time</TableHeader>
        <TableHeader>Who</TableHeader>
        <TableHeader>What</TableHeader>
        <TableHeader className="hidden md:table-cell">Details</TableHeader>
      </TableHead>
      <TableBody>
        {events.map((event) => (
          <TableRow key={event.id}>
            <TableCell className="hidden whitespace-nowrap text-ink-muted sm:table-cell">
              <Moment iso={event.at} />
            </TableCell>
            <TableCell className="max-w-32 sm:max-w-56">
              <p className="truncate text-ink">{event.actorLabel}</p>
              <p className="text-xs text-ink-subtle">{ACTORS[event.actorKind]}</p>
              <p className="text-xs text-ink-subtle sm:hidden">
                <Moment iso={event.at} />
              </p>
            </TableCell>
            <TableCell className="w-full max-w-0 md:w-auto md:max-w-none md:min-w-72">
              <p className="text-pretty wrap-anywhere text-ink">{sentenceOf(event) ?? event.action}</p>
              <p className="mt-0.5 font-mono text-xs break-all text-ink-subtle">
                {event.action}
                {event.targetId ? ` · ${event.targetId}` : ''}
              </p>
            </TableCell>
            <TableCell className="hidden w-full max-w-0 md:table-cell">
              <p className="truncate font-mono text-xs text-ink-muted" title={detailsOf(event)}>
                {detailsOf(event)}
              </p>
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function detailsOf(event: AuditEvent): string {
  return Object.entries(event.data)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ');
}
