'use client';

import { useSuspenseQuery } from '@tanstack/react-query';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { webhooksPath, workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Card, FactList } from '#components/ui/card.tsx';
import { StatusDot, type Tone } from '#components/ui/badge.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import { Link } from '#components/ui/link.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { Stat } from '#components/ui/page-header.tsx';
import type { ServiceStatus } from '#lib/features/status/contract.ts';
import { statusQueries } from '#lib/features/status/queries.ts';
import { concernsOf, countOf, durationOf, modelRowsOf, releaseOf, sizeOf } from './service-status-words.ts';

/** How the service is, for who has to keep it running; looks again every few seconds. */
export function ServiceStatusView() {
  const { id: workspaceId } = useWorkspace();
  const { data: status, isError } = useSuspenseQuery(statusQueries.overview(workspaceId));
  return (
    <div className="flex flex-col gap-4">
      <Verdict status={status} isStale={isError} />
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Stat
          label="Calls waiting"
          value={status.calls.waiting}
          detail={
            status.calls.oldestSeconds >= 1
              ? `oldest for ${durationOf(status.calls.oldestSeconds)}`
              : 'none that is due'
          }
        />
        <Stat
          label="Calls running"
          value={status.calls.running}
          detail={`of ${status.calls.lines.limit} at once in this workspace`}
        />
        <Stat
          label="Webhooks to send"
          value={status.webhooks.open}
          detail={
            status.webhooks.sent === 0
              ? 'none in the last hour'
              : `${status.webhooks.failed} of ${status.webhooks.sent} failed lately`
          }
        />
        <Stat
          label="Documents to process"
          value={status.documents.open}
          detail={status.documents.open > 0 ? 'in this workspace' : 'all are processed'}
        />
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <PartsCard status={status} />
        <ProcessCard status={status} />
        <CarriersCard status={status} workspaceId={workspaceId} />
        <ModelsCard status={status} workspaceId={workspaceId} />
      </div>
      <p className="text-sm text-ink-muted">
        {'Calls, webhooks and documents are of this workspace; everything else is of the whole service. '}
        <Link href={webhooksPath(workspaceId)} className="rounded-sm text-accent-text underline">
          See what webhooks were sent
        </Link>
      </p>
    </div>
  );
}

function Verdict({ status, isStale }: { status: ServiceStatus; isStale: boolean }) {
  const concerns = concernsOf(status);
  const seenAt = (
    <span className="text-ink-subtle">
      {'Last looked at '}
      <Moment iso={new Date(status.at).toISOString()} style="time" />
    </span>
  );
  if (isStale)
    return (
      <Notice tone="danger" icon={<TriangleAlert aria-hidden="true" />} title="The service does not answer">
        What stands below is what was known then, and is asked for again every few seconds. {seenAt}
      </Notice>
    );
  if (concerns.length === 0)
    return (
      <Notice tone="success" icon={<CircleCheck aria-hidden="true" />} title="Everything works">
        {seenAt}
      </Notice>
    );
  return (
    <Notice
      tone="warning"
      icon={<TriangleAlert aria-hidden="true" />}
      title={concerns.length === 1 ? 'Something needs a look' : `${concerns.length} things need a look`}
    >
      <ul className="list-disc pl-4">
        {concerns.map((concern) => (
          <li key={concern}>{concern}</li>
        ))}
      </ul>
      {seenAt}
    </Notice>
  );
}

const PART_NAMES = {
  database: 'Database',
  queue: 'Queue',
  storage: 'Storage',
  conversations: 'Conversations',
  carriers: 'Carriers',
} as const;

function PartsCard({ status: { parts, database, storage, disk } }: { status: ServiceStatus }) {
  const answers = parts.map(({ name, problem, durationMs }) => ({
    term: PART_NAMES[name],
    value: (
      <StatusDot tone={problem ? 'danger' : 'success'}>{problem ?? `answers in ${durationMs} ms`}</StatusDot>
    ),
  }));
  const kind = database.kind === 'embedded' ? 'embedded' : 'PostgreSQL';
  return (
    <Card title="What it works with">
      <FactList
        items={[
          ...answers,
          {
            term: 'Database size',
            value: `${database.sizeBytes === null ? 'not known' : sizeOf(database.sizeBytes)}, ${kind}`,
          },
          ...(database.connections === null
            ? []
            : [{ term: 'Connections', value: `${database.connections}, of all processes` }]),
          { term: 'Files', value: storage.kind === 'file' ? 'in a folder' : 'in a bucket (S3)' },
          {
            term: 'Disk',
            value: disk ? `${sizeOf(disk.freeBytes)} free of ${sizeOf(disk.totalBytes)}` : 'not known',
          },
        ]}
      />
    </Card>
  );
}

const ROLES = {
  all: 'web and calls in one process',
  web: 'web; calls run in workers',
  worker: 'worker',
} as const;

function ProcessCard({ status }: { status: ServiceStatus }) {
  const { processes, running } = status.conversations;
  return (
    <Card title="The process that answers">
      <FactList
        items={[
          { term: 'Version', value: releaseOf(status) },
          { term: 'Role', value: ROLES[status.role] },
          { term: 'Up for', value: durationOf(status.uptimeSeconds) },
          { term: 'Memory', value: sizeOf(status.memoryBytes) },
          { term: 'Conversations', value: `${running} running` },
          {
            term: 'Their processes',
            value: processes
              ? processes.ready === 0
                ? `none yet; up to ${processes.wanted} start with the first call`
                : `${processes.ready} of ${processes.wanted}`
              : 'none: they run in the service itself',
          },
        ]}
      />
    </Card>
  );
}

const CARRIER_NAMES: Record<string, string> = { simulated: 'Simulated', twilio: 'Twilio', sip: 'SIP' };

function CarriersCard({ status, workspaceId }: { status: ServiceStatus; workspaceId: string }) {
  return (
    <Card
      title="Carriers"
      actions={
        <Link
          href={workspacePath(workspaceId, 'settings/numbers')}
          className="rounded-sm text-sm text-accent-text underline"
        >
          Numbers
        </Link>
      }
    >
      <FactList
        items={status.carriers.map(({ kind, isSetUp, numbers, calls, failed }) => ({
          term: CARRIER_NAMES[kind] ?? kind,
          value: (
            <div className="flex flex-col">
              <StatusDot tone={toneOf(isSetUp, failed)}>{isSetUp ? 'set up' : 'not set up here'}</StatusDot>
              <span className="text-ink-subtle">
                {`${countOf(numbers, 'number')}; ${countOf(calls, 'call')} in the last hour${failed > 0 ? `, ${failed} of them failed` : ''}`}
              </span>
            </div>
          ),
        }))}
      />
    </Card>
  );
}

function toneOf(isSetUp: boolean, failed: number): Tone {
  if (!isSetUp) return 'danger';
  return failed > 0 ? 'warning' : 'success';
}

function ModelsCard({ status: { models }, workspaceId }: { status: ServiceStatus; workspaceId: string }) {
  return (
    <Card title="Models">
      <FactList
        items={modelRowsOf(models).map(({ term, value, refusedOn }) => ({
          term,
          value: refusedOn ? (
            <Link
              href={workspacePath(workspaceId, `conversations/${refusedOn}`)}
              className="rounded-sm text-accent-text underline"
            >
              <StatusDot tone="danger">{value}</StatusDot>
            </Link>
          ) : (
            value
          ),
        }))}
      />
    </Card>
  );
}
