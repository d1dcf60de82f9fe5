'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RotateCw, Trash2 } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { StatusDot, type Tone } from '#components/ui/badge.tsx';
import { Button, IconButton } from '#components/ui/button.tsx';
import { ConfirmDialog } from '#components/ui/dialog.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { deleteDocument, type listDocuments } from '#lib/features/knowledge/contract.ts';
import { retryDocument } from '#lib/features/knowledge/dashboard/contract.ts';
import { knowledgeQueries } from '#lib/features/knowledge/queries.ts';
import { callOperation, type DataOf } from '#lib/http/client.ts';

export type KnowledgeDocument = DataOf<typeof listDocuments>[number];
type ActionProps = { document: Pick<KnowledgeDocument, 'id' | 'knowledgeBaseId' | 'originalName'> };

const STATES: Record<KnowledgeDocument['status'], { tone: Tone; label: string }> = {
  PENDING: { tone: 'accent', label: 'Waiting' },
  PROCESSING: { tone: 'accent', label: 'Processing' },
  COMPLETED: { tone: 'success', label: 'Ready' },
  FAILED: { tone: 'danger', label: 'Failed' },
};

export function DocumentState({ status }: { status: KnowledgeDocument['status'] }) {
  const { tone, label } = STATES[status];
  return (
    <StatusDot tone={tone} isLive={tone === 'accent'}>
      {label}
    </StatusDot>
  );
}

export function isInWork(status: KnowledgeDocument['status']): boolean {
  return status === 'PENDING' || status === 'PROCESSING';
}

export function DeleteDocument({ document, onDeleted }: ActionProps & { onDeleted?: () => void }) {
  const { id: workspaceId } = useWorkspace();
  const refresh = useRefresh(document);
  const toast = useToast();
  const remove = useMutation({
    mutationFn: () => callOperation(deleteDocument, { params: { documentId: document.id } }, { workspaceId }),
    onSuccess: async () => {
      toast({ title: `${document.originalName} was deleted` });
      onDeleted?.();
      await refresh();
    },
    onError: (error) => toast({ title: describeFailure(error), tone: 'danger' }),
  });
  return (
    <ConfirmDialog
      title={`Delete ${document.originalName}?`}
      description="The file, its chunks and vectors are removed. Agents no longer answer from it. This cannot be undone."
      confirmLabel="Delete document"
      onConfirm={() => remove.mutate()}
      trigger={
        <IconButton
          size="sm"
          label={`Delete ${document.originalName}`}
          icon={remove.isPending ? <Spinner /> : <Trash2 aria-hidden="true" />}
          disabled={remove.isPending}
        />
      }
    />
  );
}

/** Reads a FAILED document once more. `isIcon`: in a row of a table, where words have no room. */
export function ProcessAgain({ document, isIcon = false }: ActionProps & { isIcon?: boolean }) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const refresh = useRefresh(document);
  const toast = useToast();
  const retry = useMutation({
    mutationFn: () => callOperation(retryDocument, { params: { documentId: document.id } }, { workspaceId }),
    onSuccess: async ({ data }) => {
      toast(
        data.status === 'FAILED'
          ? {
              title: `${document.originalName} failed again`,
              description: data.errorMessage ?? undefined,
              tone: 'danger',
            }
          : { title: `${document.originalName} is ready` },
      );
      await Promise.all([
        refresh(),
        queryClient.invalidateQueries({
          queryKey: knowledgeQueries.document(workspaceId, document.id).queryKey,
        }),
      ]);
    },
    onError: (error) => toast({ title: describeFailure(error), tone: 'danger' }),
  });
  if (isIcon) {
    return (
      <IconButton
        size="sm"
        label={`Process ${document.originalName} again`}
        icon={retry.isPending ? <Spinner /> : <RotateCw aria-hidden="true" />}
        disabled={retry.isPending}
        onClick={() => retry.mutate()}
      />
    );
  }
  return (
    <Button size="sm" isBusy={retry.isPending} onClick={() => retry.mutate()}>
      Process again
    </Button>
  );
}

/** The collection's counts and its list of documents follow what happens to one of them. */
function useRefresh({ knowledgeBaseId }: ActionProps['document']): () => Promise<void> {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  return () =>
    queryClient.invalidateQueries({
      queryKey: [...knowledgeQueries.root(workspaceId), 'base', knowledgeBaseId],
    });
}
