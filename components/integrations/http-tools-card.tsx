'use client';

import { useMutation } from '@tanstack/react-query';
import { FileDown, Pencil, Plus, Trash2, Wrench } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Button, IconButton } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { ConfirmDialog } from '#components/ui/dialog.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { useToast } from '#components/ui/toast.tsx';
import type { IntegrationDetail, ShownTool } from '#lib/features/integrations/contract.ts';
import { HttpToolDialog } from './http-tool-dialog.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { asPatch } from './tool-list.ts';
import { useSaveIntegration } from './use-integration.ts';

type Props = { integration: IntegrationDetail; isReadOnly: boolean };

/** What agents can do with the integration, one request each. */
export function HttpToolsCard({ integration, isReadOnly }: Props) {
  const actions = isReadOnly ? null : (
    <>
      <ImportDialog
        integration={integration}
        trigger={
          <Button>
            <FileDown aria-hidden="true" />
            Import OpenAPI
          </Button>
        }
      />
      <HttpToolDialog
        integration={integration}
        trigger={
          <Button variant="primary">
            <Plus aria-hidden="true" />
            New tool
          </Button>
        }
      />
    </>
  );
  return (
    <Card
      title="Tools"
      description="One request each. Agents that use this integration are offered all of them, unless one is switched off there."
      actions={integration.tools.length > 0 ? actions : null}
      isFlush
    >
      {integration.tools.length === 0 ? (
        <EmptyState
          isBare
          icon={<Wrench />}
          title="No tools yet"
          description="Describe a request yourself, or choose from the server's OpenAPI document."
          actions={actions}
        />
      ) : (
        <ul className="divide-y divide-line">
          {integration.tools.map((tool) => (
            <li key={tool.name} className="flex items-start justify-between gap-3 px-4 py-3 sm:px-5">
              <div className="min-w-0">
                <p className="font-mono text-sm font-medium break-all text-ink">{tool.name}</p>
                <p className="mt-0.5 line-clamp-3 text-sm wrap-anywhere text-ink-muted">{tool.description}</p>
                <p className="mt-1.5 flex flex-wrap items-center gap-2 text-xs text-ink-subtle">
                  <Badge>{tool.method}</Badge>
                  <span className="font-mono break-all">{tool.path === '' ? '/' : tool.path}</span>
                </p>
              </div>
              {isReadOnly ? null : <ToolActions integration={integration} tool={tool} />}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function ToolActions({ integration, tool }: { integration: IntegrationDetail; tool: ShownTool }) {
  const save = useSaveIntegration(integration.id);
  const toast = useToast();
  const remove = useMutation({
    mutationFn: () =>
      save(
        { tools: integration.tools.filter(({ name }) => name !== tool.name).map(asPatch) },
        { tools: integration.tools },
      ),
    onSuccess: () => toast({ title: `${tool.name} was removed` }),
    onError: (error) => toast({ title: describeFailure(error), tone: 'danger' }),
  });
  return (
    <span className="flex shrink-0 gap-1">
      <HttpToolDialog
        integration={integration}
        tool={tool}
        trigger={<IconButton size="sm" label={`Edit ${tool.name}`} icon={<Pencil aria-hidden="true" />} />}
      />
      <ConfirmDialog
        title={`Remove ${tool.name}?`}
        description="Agents are not offered it any more. Transcripts keep what it was used for."
        confirmLabel="Remove tool"
        onConfirm={() => remove.mutate()}
        trigger={
          <IconButton
            size="sm"
            label={`Remove ${tool.name}`}
            icon={<Trash2 aria-hidden="true" />}
            disabled={remove.isPending}
          />
        }
      />
    </span>
  );
}
