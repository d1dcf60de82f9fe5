'use client';

import { useSuspenseQuery } from '@tanstack/react-query';
import { MoreHorizontal, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useDeletion } from '#components/forms/use-deletion.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button, IconButton } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { ConfirmDialog } from '#components/ui/dialog.tsx';
import { DropdownMenu, MenuItem } from '#components/ui/dropdown-menu.tsx';
import { PageHeader, Stat } from '#components/ui/page-header.tsx';
import { deleteKnowledgeBase } from '#lib/features/knowledge/contract.ts';
import { knowledgeQueries } from '#lib/features/knowledge/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { DocumentsTable } from './documents-table.tsx';
import { EmbeddingState, type KnowledgeOverview } from './embedding-state.tsx';
import { formatBytes } from './format-bytes.ts';
import { KnowledgeAgents } from './knowledge-agents.tsx';
import { KnowledgeBaseDialog } from './knowledge-base-dialog.tsx';
import { KnowledgeSearch } from './knowledge-search.tsx';
import { UploadZone } from './upload-zone.tsx';

export function KnowledgeBaseView({ knowledgeBaseId }: { knowledgeBaseId: string }) {
  const { id: workspaceId, role } = useWorkspace();
  const { data: base } = useSuspenseQuery(knowledgeQueries.overview(workspaceId, knowledgeBaseId));
  const mayEdit = role !== 'viewer';
  const count = new Intl.NumberFormat('en-US');
  return (
    <>
      <PageHeader
        trail={[{ label: 'Knowledge', href: workspacePath(workspaceId, 'knowledge') }]}
        title={base.name}
        description={
          <>
            {base.description ? <p>{base.description}</p> : null}
            <p className="flex items-center gap-0.5 font-mono text-xs text-ink-subtle">
              {base.id}
              <CopyButton text={base.id} label="Copy knowledge base id" />
            </p>
          </>
        }
        actions={mayEdit ? <BaseActions base={base} /> : null}
      />
      <EmbeddingState base={base} />
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Stat label="Documents" value={count.format(base.documentCount)} />
        <Stat label="Chunks" value={count.format(base.chunkCount)} />
        <Stat label="Stored" value={formatBytes(base.sizeBytes)} />
        <Stat label="Agents" value={count.format(base.agents.filter((agent) => agent.isAttached).length)} />
      </div>
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_minmax(22rem,30rem)]">
        <div className="flex min-w-0 flex-col gap-6">
          {mayEdit ? <UploadZone knowledgeBaseId={knowledgeBaseId} /> : null}
          <DocumentsTable knowledgeBaseId={knowledgeBaseId} />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <KnowledgeSearch
            knowledgeBaseId={knowledgeBaseId}
            title="Try a question"
            description="Shows the chunks an agent would get, best first, and why."
          />
          <KnowledgeAgents base={base} />
        </div>
      </div>
    </>
  );
}

type ActionsProps = { base: Pick<KnowledgeOverview, 'id' | 'name' | 'description' | 'agents'> };

function BaseActions({ base }: ActionsProps) {
  const { id: workspaceId } = useWorkspace();

  const [isDeleting, setIsDeleting] = useState(false);
  const remove = useDeletion({
    name: base.name,
    remove: () => callOperation(deleteKnowledgeBase, { params: { id: base.id } }, { workspaceId }),
    list: workspacePath(workspaceId, 'knowledge'),
    listKey: [...knowledgeQueries.root(workspaceId), 'list'],
  });
  return (
    <>
      <KnowledgeBaseDialog
        base={base}
        trigger={
          <Button>
            <Pencil aria-hidden="true" />
            Edit
          </Button>
        }
      />
      <DropdownMenu
        trigger={
          <IconButton label="More actions" variant="secondary" icon={<MoreHorizontal aria-hidden="true" />} />
        }
      >
        <MenuItem tone="danger" onSelect={() => setIsDeleting(true)}>
          <Trash2 aria-hidden="true" />
          Delete knowledge base
        </MenuItem>
      </DropdownMenu>
      <ConfirmDialog
        title={`Delete ${base.name}?`}
        description={`Its documents, chunks, vectors and stored files are removed. ${usedBy(base)} This cannot be undone.`}
        confirmLabel="Delete knowledge base"
        isOpen={isDeleting}
        onOpenChange={setIsDeleting}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
      />
    </>
  );
}

function usedBy({ agents }: Pick<KnowledgeOverview, 'agents'>): string {
  const names = agents.filter(({ isAttached }) => isAttached).map(({ name }) => name);
  if (names.length === 0) return 'No agent answers from it.';
  const listed = new Intl.ListFormat('en-US').format(names);
  return `${listed} ${names.length === 1 ? 'answers' : 'answer'} from it now and no longer will.`;
}
