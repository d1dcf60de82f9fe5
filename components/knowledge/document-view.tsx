'use client';

import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { CircleAlert, Download } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useDownload } from '#components/forms/use-download.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { EmptyState, Notice } from '#components/ui/empty-state.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#components/ui/tabs.tsx';
import { downloadDocument, type getDocumentDetail } from '#lib/features/knowledge/dashboard/contract.ts';
import { knowledgeQueries } from '#lib/features/knowledge/queries.ts';
import type { DataOf } from '#lib/http/client.ts';
import { countOf } from './count-of.ts';
import { DeleteDocument, DocumentState, isInWork, ProcessAgain } from './document-actions.tsx';
import { formatBytes } from './format-bytes.ts';

/** How often a document that is still being read is asked for. */
const POLL_MS = 3_000;

/** One document: how it went, the text that was extracted, and the chunks it was split into. */
export function DocumentView({ documentId }: { documentId: string }) {
  const { id: workspaceId, role } = useWorkspace();
  const { data: document } = useSuspenseQuery({
    ...knowledgeQueries.document(workspaceId, documentId),
    refetchInterval: ({ state }) => (state.data && isInWork(state.data.status) ? POLL_MS : false),
  });
  const router = useRouter();
  const base = workspacePath(workspaceId, `knowledge/${encodeURIComponent(document.knowledgeBaseId)}`);
  return (
    <>
      <PageHeader
        trail={[
          { label: 'Knowledge', href: workspacePath(workspaceId, 'knowledge') },
          { label: document.knowledgeBaseName, href: base },
        ]}
        title={document.originalName}
        badge={<Badge>{document.fileType}</Badge>}
        description={<DocumentFacts document={document} />}
        actions={<DocumentActions document={document} onDeleted={() => router.push(base)} />}
      />
      {document.errorMessage ? (
        <Notice
          tone="danger"
          icon={<CircleAlert aria-hidden="true" />}
          title="This document could not be read"
          actions={role === 'viewer' ? null : <ProcessAgain document={document} />}
        >
          {document.errorMessage}
        </Notice>
      ) : null}
      {isInWork(document.status) ? (
        <Notice icon={<Spinner />} title={document.status === 'PENDING' ? 'Waiting its turn' : 'Being read'}>
          Its text and chunks appear here as soon as it has been split and indexed.
        </Notice>
      ) : null}
      {document.status === 'COMPLETED' ? (
        <Tabs defaultValue="text">
          <TabsList aria-label="Views of the document">
            <TabsTrigger value="text">Extracted text</TabsTrigger>
            <TabsTrigger value="chunks">Chunks</TabsTrigger>
          </TabsList>
          <TabsContent value="text">
            <ExtractedText documentId={documentId} />
          </TabsContent>
          <TabsContent value="chunks">
            <Chunks documentId={documentId} />
          </TabsContent>
        </Tabs>
      ) : null}
    </>
  );
}

type ShownDocument = DataOf<typeof getDocumentDetail>;

function DocumentFacts({ document }: { document: ShownDocument }) {
  return (
    <span className="figures flex flex-wrap items-center gap-x-3 text-sm">
      <DocumentState status={document.status} />
      <span>{formatBytes(document.fileSize)}</span>
      {document.textLength === null ? null : <span>{countOf(document.textLength, 'character')}</span>}
      {document.status === 'COMPLETED' ? <span>{countOf(document._count.chunks, 'chunk')}</span> : null}
      <span>
        Uploaded <Moment iso={document.createdAt} />
      </span>
    </span>
  );
}

type DocumentActionsProps = { document: ShownDocument; onDeleted: () => void };

function DocumentActions({ document, onDeleted }: DocumentActionsProps) {
  const { role } = useWorkspace();
  const download = useDownload();
  return (
    <>
      <Button
        isBusy={download.isPending}
        onClick={() =>
          download.start({
            operation: downloadDocument,
            params: { documentId: document.id },
            filename: document.originalName,
          })
        }
      >
        <Download aria-hidden="true" />
        Download
      </Button>
      {role === 'viewer' ? null : <DeleteDocument document={document} onDeleted={onDeleted} />}
    </>
  );
}

function Chunks({ documentId }: { documentId: string }) {
  const { id: workspaceId } = useWorkspace();
  const [page, setPage] = useState(1);
  const { data, error } = useQuery({
    ...knowledgeQueries.chunks(workspaceId, documentId, page),
    placeholderData: keepPreviousData,
  });
  if (error) return <Notice tone="danger">{describeFailure(error)}</Notice>;
  if (!data) return <Loading label="Loading chunks" />;
  if (data.totalCount === 0)
    return <EmptyState title="No chunks" description="The document holds no text that could be split." />;
  return (
    <div className="flex flex-col gap-3">
      <ol className="flex flex-col gap-3">
        {data.chunks.map((chunk) => (
          <li key={chunk.id} className="rounded-lg border border-line bg-surface px-4 py-3 shadow-card">
            <p className="figures flex flex-wrap items-center gap-x-2 text-xs text-ink-subtle">
              <span className="font-semibold text-ink">{`#${chunk.seq + 1}`}</span>
              {chunk.location ? <span className="min-w-0 wrap-anywhere">{chunk.location}</span> : null}
              <span>{`characters ${(chunk.source.start + 1).toLocaleString('en-US')}–${chunk.source.end.toLocaleString('en-US')}`}</span>
            </p>
            <p className="mt-1.5 max-w-prose text-sm wrap-anywhere whitespace-pre-wrap text-ink">
              {chunk.text}
            </p>
          </li>
        ))}
      </ol>
      <Steps
        label={`Page ${data.pageIndex} of ${data.pageCount} · ${countOf(data.totalCount, 'chunk')}`}
        onPrevious={data.pageIndex > 1 ? () => setPage(data.pageIndex - 1) : null}
        onNext={data.pageIndex < data.pageCount ? () => setPage(data.pageIndex + 1) : null}
      />
    </div>
  );
}

const TEXT_STEP = 20_000;

function ExtractedText({ documentId }: { documentId: string }) {
  const { id: workspaceId } = useWorkspace();
  const [start, setStart] = useState(0);
  const { data, error } = useQuery(knowledgeQueries.text(workspaceId, documentId, start));
  if (error) return <Notice tone="danger">{describeFailure(error)}</Notice>;
  if (!data) return <Loading label="Loading the text" />;
  return (
    <div className="flex flex-col gap-3">
      <section
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable, so reachable by keyboard
        tabIndex={0}
        aria-label="Extracted text"
        className="focus-inset max-h-[70vh] overflow-auto rounded-lg border border-line bg-surface px-4 py-3 shadow-card"
      >
        <pre className="font-sans text-sm wrap-anywhere whitespace-pre-wrap text-ink">{data.text}</pre>
      </section>
      <Steps
        label={`Characters ${(data.start + 1).toLocaleString('en-US')}–${data.end.toLocaleString('en-US')} of ${data.textLength.toLocaleString('en-US')}`}
        onPrevious={data.start > 0 ? () => setStart(Math.max(0, data.start - TEXT_STEP)) : null}
        onNext={data.end < data.textLength ? () => setStart(data.end) : null}
      />
    </div>
  );
}

function Steps({
  label,
  onPrevious,
  onNext,
}: {
  label: string;
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
}) {
  if (!onPrevious && !onNext) return null;
  return (
    <div className="figures flex flex-wrap items-center justify-between gap-2 text-sm text-ink-subtle">
      <output>{label}</output>
      <span className="flex gap-2">
        <Button size="sm" disabled={!onPrevious} onClick={() => onPrevious?.()}>
          Previous
        </Button>
        <Button size="sm" disabled={!onNext} onClick={() => onNext?.()}>
          Next
        </Button>
      </span>
    </div>
  );
}

function Loading({ label }: { label: string }) {
  return (
    <output aria-busy="true" className="flex flex-col gap-3">
      <span className="sr-only">{label}</span>
      <Skeleton className="h-28" />
      <Skeleton className="h-28" />
    </output>
  );
}
