'use client';

import { useSuspenseQuery } from '@tanstack/react-query';
import { Plug } from 'lucide-react';
import { integrationsPath } from '#components/layout/navigation.ts';
import { useMayManage } from '#components/layout/use-may-manage.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Link } from '#components/ui/link.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#components/ui/table.tsx';
import type { IntegrationView } from '#lib/features/integrations/contract.ts';
import { integrationQueries } from '#lib/features/integrations/queries.ts';
import { CreateIntegrationDialog } from './create-integration-dialog.tsx';
import { IntegrationState, KIND_LABELS, toolsLabel } from './integration-wording.tsx';

export function IntegrationsView() {
  const { id: workspaceId } = useWorkspace();
  const { data: integrations } = useSuspenseQuery(integrationQueries.list(workspaceId));
  const mayManage = useMayManage();
  return (
    <div className="flex max-w-5xl flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-2xl text-sm text-ink-muted">
          What your agents can use while they talk. An agent uses an integration once it is chosen on its page
          “Behaviour”.
        </p>
        {mayManage && integrations.length > 0 ? <CreateIntegrationDialog /> : null}
      </div>
      {integrations.length === 0 ? (
        <EmptyState
          icon={<Plug />}
          title="No integrations yet"
          description="Let an agent look up an order, open a ticket or ask any other system while it talks."
          actions={mayManage ? <CreateIntegrationDialog /> : null}
        />
      ) : (
        <Table caption="Integrations">
          <TableHead>
            <TableHeader>Name</TableHeader>
            <TableHeader>State</TableHeader>
            <TableHeader className="hidden sm:table-cell">Kind</TableHeader>
            <TableHeader className="hidden sm:table-cell">Tools</TableHeader>
            <TableHeader className="hidden lg:table-cell">Id</TableHeader>
          </TableHead>
          <TableBody>
            {integrations.map((integration) => (
              <IntegrationRow key={integration.id} integration={integration} />
            ))}
          </TableBody>
        </Table>
      )}
    </div>
  );
}

function IntegrationRow({ integration }: { integration: IntegrationView }) {
  const { id: workspaceId } = useWorkspace();
  const { id, name, kind, state, toolNames } = integration;
  return (
    <TableRow>
      <TableCell className="font-medium">
        <Link
          href={integrationsPath(workspaceId, id)}
          className="rounded-sm wrap-anywhere text-accent-text underline"
        >
          {name}
        </Link>
      </TableCell>
      <TableCell>
        <IntegrationState state={state} />
      </TableCell>
      <TableCell className="hidden text-ink-muted sm:table-cell">{KIND_LABELS[kind]}</TableCell>
      <TableCell className="figures hidden text-ink-muted sm:table-cell">
        {toolsLabel(toolNames.length)}
      </TableCell>
      <TableCell className="hidden lg:table-cell">
        <span className="flex items-center gap-0.5 font-mono text-xs text-ink-subtle">
          {id}
          <CopyButton text={id} label={`Copy the id of ${name}`} />
        </span>
      </TableCell>
    </TableRow>
  );
}
