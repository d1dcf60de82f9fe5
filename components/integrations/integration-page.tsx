'use client';

import { useSuspenseQuery } from '@tanstack/react-query';
import { CircleAlert, Trash2 } from 'lucide-react';
import { useDeletion } from '#components/forms/use-deletion.ts';
import { integrationsPath, workspacePath } from '#components/layout/navigation.ts';
import { useMayManage } from '#components/layout/use-may-manage.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { ConfirmDialog } from '#components/ui/dialog.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import { Link } from '#components/ui/link.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { deleteIntegration, type IntegrationDetail } from '#lib/features/integrations/contract.ts';
import { integrationQueries } from '#lib/features/integrations/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { BookedCard } from './booked-card.tsx';
import { CalendarConnectionCard } from './calendar-connection-card.tsx';
import { CalendarHoursCard } from './calendar-hours-card.tsx';
import { ConnectionCard } from './connection-card.tsx';
import { HttpToolsCard } from './http-tools-card.tsx';
import { IntegrationState } from './integration-wording.tsx';
import { McpToolsCard } from './mcp-tools-card.tsx';
import { TryCard } from './try-card.tsx';

export function IntegrationPage({ integrationId }: { integrationId: string }) {
  const { id: workspaceId } = useWorkspace();
  const { data: integration } = useSuspenseQuery(integrationQueries.detail(workspaceId, integrationId));
  const mayManage = useMayManage();
  return (
    <>
      <PageHeader
        trail={[
          { label: 'Settings', href: workspacePath(workspaceId, 'settings') },
          { label: 'Integrations', href: integrationsPath(workspaceId) },
        ]}
        title={integration.name}
        badge={<IntegrationState state={integration.state} />}
        description={
          <span className="flex items-center gap-0.5 font-mono text-xs text-ink-subtle">
            {integration.id}
            <CopyButton text={integration.id} label="Copy integration id" />
          </span>
        }
        actions={mayManage ? <DeleteIntegration integration={integration} /> : null}
      />
      <FaultNotice integration={integration} />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_minmax(20rem,28rem)]">
        <div className="flex min-w-0 flex-col gap-6">
          <WhatItDoes integration={integration} isReadOnly={!mayManage} />
          {mayManage ? <TryCard integration={integration} /> : null}
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          {integration.calendar ? (
            <CalendarConnectionCard
              integration={integration}
              calendar={integration.calendar}
              isReadOnly={!mayManage}
            />
          ) : (
            <ConnectionCard integration={integration} isReadOnly={!mayManage} />
          )}
          <UsedByCard integration={integration} />
        </div>
      </div>
    </>
  );
}

function FaultNotice({ integration }: { integration: IntegrationDetail }) {
  const { fault, faultAt, calendar } = integration;
  if (fault === null) return null;
  const isUnchosen = calendar?.calendarUrl === null && integration.address !== '' && faultAt === null;
  return (
    <Notice
      tone={isUnchosen ? 'warning' : 'danger'}
      icon={<CircleAlert aria-hidden="true" />}
      title={isUnchosen ? 'It cannot be used yet' : 'The last use failed'}
    >
      {fault} {faultAt === null ? null : <Moment iso={faultAt} />}
    </Notice>
  );
}

function WhatItDoes({ integration, isReadOnly }: { integration: IntegrationDetail; isReadOnly: boolean }) {
  const { id, kind, calendar, address } = integration;
  const mayCancel = useWorkspace().role !== 'viewer';
  if (kind === 'http') return <HttpToolsCard integration={integration} isReadOnly={isReadOnly} />;
  if (!calendar) return <McpToolsCard integration={integration} isReadOnly={isReadOnly} />;
  return (
    <>
      {address === '' ? <BookedCard integrationId={id} calendar={calendar} mayCancel={mayCancel} /> : null}
      <CalendarHoursCard integrationId={id} calendar={calendar} isReadOnly={isReadOnly} />
    </>
  );
}

function UsedByCard({ integration }: { integration: IntegrationDetail }) {
  const { id: workspaceId } = useWorkspace();
  const behaviourOf = (agentId: string) =>
    workspacePath(workspaceId, `agents/${encodeURIComponent(agentId)}/behaviour`);
  return (
    <Card title="Agents" description="Who uses it. It is chosen on an agent's page “Behaviour”.">
      {integration.agents.length === 0 ? (
        <p className="text-sm text-ink-subtle">
          No agent yet.{' '}
          <Link href={workspacePath(workspaceId, 'agents')} className="rounded-sm text-accent-text underline">
            Choose an agent
          </Link>
        </p>
      ) : (
        <ul className="flex flex-col gap-1.5 text-sm">
          {integration.agents.map(({ id, name }) => (
            <li key={id}>
              <Link href={behaviourOf(id)} className="rounded-sm text-accent-text underline">
                {name}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function DeleteIntegration({ integration }: { integration: IntegrationDetail }) {
  const { id: workspaceId } = useWorkspace();
  const remove = useDeletion({
    name: integration.name,
    remove: () =>
      callOperation(deleteIntegration, { params: { integrationId: integration.id } }, { workspaceId }),
    list: integrationsPath(workspaceId),
    listKey: integrationQueries.list(workspaceId).queryKey,
  });
  const agents = integration.agents.map(({ name }) => name).join(', ');
  return (
    <ConfirmDialog
      title={`Delete ${integration.name}?`}
      description={
        agents === ''
          ? 'Its tools and secrets are gone for good. No agent uses it.'
          : `Its tools and secrets are gone for good. These agents lose them at once: ${agents}.`
      }
      confirmLabel="Delete integration"
      onConfirm={() => remove.mutate()}
      trigger={
        <Button isBusy={remove.isPending}>
          <Trash2 aria-hidden="true" />
          Delete
        </Button>
      }
    />
  );
}
