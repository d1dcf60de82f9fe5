'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FileText, Search } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { EmptyState, ErrorState } from '#components/ui/empty-state.tsx';
import { Input } from '#components/ui/input.tsx';
import { Link } from '#components/ui/link.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { TableSkeleton } from '#components/ui/skeleton.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#components/ui/table.tsx';
import { knowledgeQueries } from '#lib/features/knowledge/queries.ts';
import { countOf } from './count-of.ts';
import { DeleteDocument, DocumentState, type KnowledgeDocument, ProcessAgain } from './document-actions.tsx';
import { formatBytes } from './format-bytes.ts';

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
  if (data.length === 0) return <NoDocuments />;
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
      <output className={shown.length === 0 ? 'text-sm text-ink-muted' : 'sr-only'}>
        {wanted === ''
          ? ''
          : shown.length === 0
            ? `No document has “${filter.trim()}” in its name.`
            : `${countOf(shown.length, 'document')} shown`}
      </output>
      <Table caption="Documents" className={shown.length === 0 ? 'hidden' : ''}>
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

function NoDocuments() {
  const { role } = useWorkspace();
  return (
    <div className="flex flex-col gap-3">
      <h2 className="text-base font-semibold text-ink">Documents</h2>
      <EmptyState
        icon={<FileText />}
        title="No documents yet"
        description={
          role === 'viewer'
            ? 'Members of the workspace can upload some.'
            : 'Add files above. Each is read, split into chunks and indexed within a moment.'
        }
      />
    </div>
  );
}

function DocumentRow({ document }: { document: KnowledgeDocument }) {
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
      <TableCell>
        {role === 'viewer' ? null : (
          <span className="flex justify-end gap-1">
            {document.status === 'FAILED' ? <ProcessAgain document={document} isIcon /> : null}
            <DeleteDocument document={document} />
          </span>
        )}
      </TableCell>
    </TableRow>
  );
}
