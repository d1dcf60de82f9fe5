'use client';

import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'next/navigation';
import { BookOpen } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button, buttonClasses } from '#components/ui/button.tsx';
import { EmptyState, ErrorState } from '#components/ui/empty-state.tsx';
import { Link } from '#components/ui/link.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { Pagination } from '#components/ui/pagination.tsx';
import { TableSkeleton } from '#components/ui/skeleton.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#components/ui/table.tsx';
import type { listKnowledgeBases } from '#lib/features/knowledge/contract.ts';
import { type KnowledgeListQuery, knowledgeQueries } from '#lib/features/knowledge/queries.ts';
import type { DataOf } from '#lib/http/client.ts';
import { KnowledgeBaseDialog } from './knowledge-base-dialog.tsx';
import { SortableHeader } from './sortable-header.tsx';
import { readKnowledgeListQuery } from './knowledge-list-query.ts';

export function KnowledgeList() {
  const { id: workspaceId, role } = useWorkspace();
  const query = readKnowledgeListQuery(Object.fromEntries(useSearchParams()));
  const { data, error, refetch } = useQuery(knowledgeQueries.list(workspaceId, query));
  const mayEdit = role !== 'viewer';
  return (
    <>
      <PageHeader
        title="Knowledge"
        description="Documents that agents look things up in during a call."
        actions={mayEdit ? <KnowledgeBaseDialog /> : null}
      />
      {data ? (
        data.pageCount === 0 ? (
          <EmptyState
            icon={<BookOpen />}
            title="No knowledge bases yet"
            description="Create one, drop your documents into it, and attach it to an agent. The agent then answers from them."
            actions={mayEdit ? <KnowledgeBaseDialog /> : null}
          />
        ) : (
          <KnowledgeTable page={data} query={query} />
        )
      ) : error ? (
        <ErrorState
          title="The knowledge bases could not be loaded"
          description={describeFailure(error)}
          actions={<Button onClick={() => void refetch()}>Try again</Button>}
        />
      ) : (
        <TableSkeleton label="Loading knowledge bases" rows={5} />
      )}
    </>
  );
}

type ListPage = DataOf<typeof listKnowledgeBases>;

function KnowledgeTable({ page, query }: { page: ListPage; query: KnowledgeListQuery }) {
  const hrefOf = (change: Partial<KnowledgeListQuery>) =>
    `?${new URLSearchParams(Object.entries({ ...query, ...change }).map(([name, value]) => [name, String(value)])).toString()}`;
  const first = (page.pageIndex - 1) * page.pageSize + 1;
  if (page.knowledgeBases.length === 0) {
    return (
      <EmptyState
        icon={<BookOpen />}
        title="There is nothing on this page"
        description="The list has become shorter than it was."
        actions={
          <Link href={hrefOf({ page: 1 })} className={buttonClasses()}>
            Go to the first page
          </Link>
        }
      />
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <Table caption="Knowledge bases">
        <TableHead>
          <SortableHeader label="Name" sortKey="name" query={query} hrefOf={hrefOf} />
          <TableHeader>Documents</TableHeader>
          <TableHeader>Agents</TableHeader>
          <SortableHeader
            label="Changed"
            sortKey="updatedAt"
            query={query}
            hrefOf={hrefOf}
            className="hidden md:table-cell"
          />
          <SortableHeader
            label="Created"
            sortKey="createdAt"
            query={query}
            hrefOf={hrefOf}
            className="hidden lg:table-cell"
          />
        </TableHead>
        <TableBody>
          {page.knowledgeBases.map((base) => (
            <KnowledgeRow key={base.id} base={base} />
          ))}
        </TableBody>
      </Table>
      {page.pageCount > 1 ? (
        <Pagination
          noun="knowledge bases"
          firstShown={first}
          lastShown={first + page.knowledgeBases.length - 1}
          previousHref={page.pageIndex > 1 ? hrefOf({ page: page.pageIndex - 1 }) : null}
          nextHref={page.pageIndex < page.pageCount ? hrefOf({ page: page.pageIndex + 1 }) : null}
        />
      ) : null}
    </div>
  );
}

function KnowledgeRow({ base }: { base: ListPage['knowledgeBases'][number] }) {
  const { id: workspaceId } = useWorkspace();
  return (
    <TableRow>
      <TableCell className="w-full max-w-0 min-w-40 md:w-1/2">
        <Link
          href={workspacePath(workspaceId, `knowledge/${encodeURIComponent(base.id)}`)}
          className="block truncate rounded-sm font-medium text-ink hover:text-accent-text hover:underline"
        >
          {base.name}
        </Link>
        <p className="truncate text-xs text-ink-subtle">{base.description}</p>
      </TableCell>
      <TableCell className="figures text-ink-muted">{base._count.documents}</TableCell>
      <TableCell className="figures text-ink-muted">{base._count.agents}</TableCell>
      <TableCell className="hidden whitespace-nowrap text-ink-muted md:table-cell">
        <Moment iso={base.updatedAt} />
      </TableCell>
      <TableCell className="hidden whitespace-nowrap text-ink-muted lg:table-cell">
        <Moment iso={base.createdAt} />
      </TableCell>
    </TableRow>
  );
}
