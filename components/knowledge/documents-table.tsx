'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { FileText, RotateCw, Search, Trash2 } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Badge, StatusDot, type Tone } from '#components/ui/badge.tsx';
import { Button, IconButton } from '#components/ui/button.tsx';
import { ConfirmDialog } from '#components/ui/dialog.tsx';
import { EmptyState, ErrorState } from '#components/ui/empty-state.tsx';
import { Input } from '#components/ui/input.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { TableSkeleton } from '#components/ui/skeleton.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#components/ui/table.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { deleteDocument, type listDocuments } from '#lib/features/knowledge/contract.ts';
import { retryDocument } from '#lib/features/knowledge/dashboard/contract.ts';
import { knowledgeQueries } from '#lib/features/knowledge/queries.ts';
import { callOperation, type DataOf } from '#lib/http/client.ts';
import { formatBytes } from './format-bytes.ts';

type Document = DataOf<typeof listDocuments>[number];

const STATES: Record<Document['status'], { tone: Tone; label: string }> = {
  PENDING: { tone: 'accent', label: 'Waiting' },
  PROCESSING: { tone: 'accent', label: 'Processing' },
  COMPLETED: { tone: 'success', label: 'Ready' },
  FAILED: { tone: 'danger', label: 'Failed' },
};

export function DocumentState({ status }: { status: Document['status'] }) {
  const { tone, label } = STATES[status];
  return (
    <StatusDot tone={tone} isLive={tone === 'accent'}>
      {label}
    </StatusDot>
  );
}

export function DocumentsTable({ knowledgeBaseId }: { knowledgeBaseId: string }) {
  const { id: workspaceId } = useWorkspace();
  const { data, error, refetch } = useQuery(knowledgeQueries.documents(workspaceId, knowledgeBaseId));
  const [filter, setFilter] = useState('');
  if (error && !data) {
    return (
      <ErrorState
        title="The documents could not be loaded"
        description={describeFailure(error)}
        actions={<Button onClick={() => void refetch()}>Try again</Button>}
      />
    );
  }
  if (!data) return <TableSkeleton label="Loading documents" rows={4} />;
  if (data.length === 0) {
    return (
      <EmptyState
        icon={<FileText />}
        title="No documents yet"
        description="Drop files above. Each is read, split into chunks and indexed within a moment."
      />
    );
  }
  const wanted = filter.trim().toLowerCase();
  const shown = data.filter((document) => document.originalName.toLowerCase().includes(wanted));
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-base font-semibold text-ink">Documents</h2>
        {data.length > 8 ? (
          <Input
            type="search"
            aria-label="Filter documents"
            placeholder="Filter by name"
            icon={<Search />}
            className="w-full sm:w-56"
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
          />
        ) : null}
      </div>
      <Table caption="Documents">
        <TableHead>
          <TableHeader>Name</TableHeader>
          <TableHeader>Status</TableHeader>
          <TableHeader className="hidden sm:table-cell">Chunks</TableHeader>
          <TableHeader className="hidden md:table-cell">Size</TableHeader>
          <TableHeader className="hidden lg:table-cell">Uploaded</TableHeader>
          <TableHeader>
            <span className="sr-only">Actions</span>
          </TableHeader>
        </TableHead>
        <TableBody>
          {shown.map((document) => (
            <DocumentRow key={document.id} document={document} />
          ))}
        </TableBody>
      </Table>
    </div>
  );
}

function DocumentRow({ document }: { document: Document }) {
  const { id: workspaceId, role } = useWorkspace();
  const href = workspacePath(
    workspaceId,
    `knowledge/${encodeURIComponent(document.knowledgeBaseId)}/documents/${encodeURIComponent(document.id)}`,
  );
  return (
    <TableRow>
      <TableCell className="w-full max-w-0 min-w-40">
        <span className="flex min-w-0 items-center gap-2">
          <Link
            href={href}
            className="min-w-0 truncate rounded-sm font-medium text-ink hover:text-accent-text hover:underline"
          >
            {document.originalName}
          </Link>
          <Badge>{document.fileType}</Badge>
        </span>
        {document.errorMessage ? (
          <p className="text-xs text-pretty text-danger-text">{document.errorMessage}</p>
        ) : null}
      </TableCell>
      <TableCell>
        <DocumentState status={document.status} />
      </TableCell>
      <TableCell className="figures hidden text-ink-muted sm:table-cell">
        {document.chunkCount ?? '–'}
      </TableCell>
      <TableCell className="figures hidden whitespace-nowrap text-ink-muted md:table-cell">
        {formatBytes(document.fileSize)}
      </TableCell>
      <TableCell className="hidden whitespace-nowrap text-ink-muted lg:table-cell">
        <Moment iso={document.createdAt} />
      </TableCell>
      <TableCell>{role === 'viewer' ? null : <DocumentActions document={document} />}</TableCell>
    </TableRow>
  );
}

export function DocumentActions({
  document,
  onDeleted,
}: {
  document: Pick<Document, 'id' | 'knowledgeBaseId' | 'originalName' | 'status'>;
  onDeleted?: () => void;
}) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const toast = useToast();
  const params = { documentId: document.id };
  const refresh = () =>
    queryClient.invalidateQueries({
      queryKey: [...knowledgeQueries.root(workspaceId), 'base', document.knowledgeBaseId],
    });
  const onError = (error: unknown) => toast({ title: describeFailure(error), tone: 'danger' });
  const remove = useMutation({
    mutationFn: () => callOperation(deleteDocument, { params }, { workspaceId }),
    onSuccess: async () => {
      toast({ title: `${document.originalName} was deleted` });
      onDeleted?.();
      await refresh();
    },
    onError,
  });
  const retry = useMutation({
    mutationFn: () => callOperation(retryDocument, { params }, { workspaceId }),
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
    onError,
  });
  return (
    <span className="flex justify-end gap-1">
      {document.status === 'FAILED' ? (
        <IconButton
          size="sm"
          label={`Process ${document.originalName} again`}
          icon={<RotateCw aria-hidden="true" />}
          disabled={retry.isPending}
          onClick={() => retry.mutate()}
        />
      ) : null}
      <ConfirmDialog
        title={`Delete ${document.originalName}?`}
        description="The file, its chunks and vectors are removed. Agents no longer answer from it."
        confirmLabel="Delete document"
        onConfirm={() => remove.mutate()}
        trigger={
          <IconButton
            size="sm"
            label={`Delete ${document.originalName}`}
            icon={<Trash2 aria-hidden="true" />}
            disabled={remove.isPending}
          />
        }
      />
    </span>
  );
}
