'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RefreshCw, Wrench } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Switch } from '#components/ui/checkbox.tsx';
import { EmptyState, Notice } from '#components/ui/empty-state.tsx';
import { Field } from '#components/ui/field.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { useToast } from '#components/ui/toast.tsx';
import {
  type IntegrationDetail,
  refreshIntegration,
  type RefreshedTools,
  type ShownMcpTool,
} from '#lib/features/integrations/contract.ts';
import { integrationQueries } from '#lib/features/integrations/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { useSaveIntegration } from './use-integration.ts';

type Props = { integration: IntegrationDetail; isReadOnly: boolean };

/** The tools of an MCP server, and which of them agents are offered. */
export function McpToolsCard({ integration, isReadOnly }: Props) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const { queryKey } = integrationQueries.detail(workspaceId, integration.id);
  const refresh = useMutation({
    mutationFn: () =>
      callOperation(refreshIntegration, { params: { integrationId: integration.id } }, { workspaceId }),
    onSuccess: ({ data }) => queryClient.setQueryData(queryKey, data.integration),
    onError: () => queryClient.invalidateQueries({ queryKey }),
  });
  const button = isReadOnly ? null : (
    <Button isBusy={refresh.isPending} onClick={() => refresh.mutate()}>
      {refresh.isPending ? null : <RefreshCw aria-hidden="true" />}
      Ask for its tools
    </Button>
  );
  return (
    <Card
      title="Tools"
      description={
        integration.refreshedAt ? (
          <>
            As the server described them <Moment iso={integration.refreshedAt} />. What it says in other words
            later is offered to nobody before you have chosen it again.
          </>
        ) : (
          'Agents are offered those that you choose.'
        )
      }
      actions={integration.mcpTools.length > 0 ? button : null}
      isFlush
    >
      <Asked told={refresh.isPending ? undefined : refresh.data?.data.told} error={refresh.error} />
      {integration.mcpTools.length === 0 ? (
        <EmptyState
          isBare
          icon={<Wrench />}
          title={integration.refreshedAt ? 'The server has no tools' : 'Its tools are not known yet'}
          description="Enter its key under “Connection” first, where it needs one."
          actions={button}
        />
      ) : (
        <ul className="divide-y divide-line">
          {integration.mcpTools.map((tool) => (
            <ToolRow key={tool.name} integration={integration} tool={tool} isReadOnly={isReadOnly} />
          ))}
        </ul>
      )}
    </Card>
  );
}

/** What came of asking the server. */
function Asked({ told, error }: { told: RefreshedTools | null | undefined; error: Error | null }) {
  return (
    <div aria-live="polite" className="px-4 pt-4 empty:hidden sm:px-5">
      {error ? <Notice tone="danger">{describeFailure(error)}</Notice> : null}
      {told ? (
        <Notice tone={told.changed.length > 0 ? 'warning' : 'success'}>{sentenceOf(told)}</Notice>
      ) : null}
    </div>
  );
}

function ToolRow({ integration, tool, isReadOnly }: Props & { tool: ShownMcpTool }) {
  const save = useSaveIntegration(integration.id);
  const toast = useToast();
  const choose = useMutation({
    mutationFn: (isChosen: boolean) => {
      const others = integration.mcpTools.filter((each) => each.isChosen && each.name !== tool.name);
      const names = others.map(({ name }) => name);
      const before = integration.mcpTools.filter((each) => each.isChosen).map(({ name }) => name);
      return save(
        { chosenTools: isChosen ? [...names, tool.name] : names },
        { chosenTools: before.toSorted() },
      );
    },
    onError: (error) => toast({ title: describeFailure(error), tone: 'danger' }),
  });
  const count = Object.keys(argumentsIn(tool)).length;
  return (
    <li className="px-4 py-3 sm:px-5">
      <Field
        layout="row"
        label={<span className="font-mono break-all">{tool.name}</span>}
        description={<span className="wrap-anywhere whitespace-pre-line">{tool.description}</span>}
      >
        <Switch
          checked={choose.isPending ? choose.variables : tool.isChosen}
          disabled={isReadOnly || choose.isPending}
          onCheckedChange={(isOn) => choose.mutate(isOn)}
        />
      </Field>
      <p className="mt-1.5 flex flex-wrap items-center gap-2 text-xs text-ink-subtle">
        <Badge>{count === 1 ? '1 argument' : `${count} arguments`}</Badge>
        {tool.serverName === tool.name ? null : (
          <span>
            on the server: <span className="font-mono break-all">{tool.serverName}</span>
          </span>
        )}
      </p>
    </li>
  );
}

function argumentsIn({ parameters }: ShownMcpTool): object {
  const { properties } = parameters;
  return typeof properties === 'object' && properties !== null ? properties : {};
}

function sentenceOf({ added, changed, gone, skipped }: RefreshedTools): string {
  const parts = [
    added.length > 0 ? `new: ${added.join(', ')}` : '',
    changed.length > 0 ? `changed, and to be chosen again: ${changed.join(', ')}` : '',
    gone.length > 0 ? `gone: ${gone.join(', ')}` : '',
    skipped > 0 ? `${skipped} cannot be used` : '',
  ].filter((part) => part !== '');
  return parts.length === 0
    ? 'Nothing has changed.'
    : `${parts.join('; ')}.`.replace(/^\w/, (letter) => letter.toUpperCase());
}
