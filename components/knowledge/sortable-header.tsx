import { ArrowDown, ArrowUp } from 'lucide-react';
import { Link } from '#components/ui/link.tsx';
import { TableHeader } from '#components/ui/table.tsx';
import type { KnowledgeListQuery } from '#lib/features/knowledge/queries.ts';

/** A column title that sorts by it, and the other way round when it already does. */
export function SortableHeader({
  label,
  sortKey,
  query,
  hrefOf,
  className = '',
}: {
  label: string;
  sortKey: KnowledgeListQuery['sortBy'];
  query: KnowledgeListQuery;
  hrefOf: (change: Partial<KnowledgeListQuery>) => string;
  className?: string;
}) {
  const isSorted = query.sortBy === sortKey;
  const isAscending = query.sortOrder === 'asc';
  const next = isSorted ? (isAscending ? 'desc' : 'asc') : sortKey === 'name' ? 'asc' : 'desc';
  const Arrow = isAscending ? ArrowUp : ArrowDown;
  return (
    <TableHeader
      className={className}
      aria-sort={isSorted ? (isAscending ? 'ascending' : 'descending') : 'none'}
    >
      <Link
        href={hrefOf({ sortBy: sortKey, sortOrder: next, page: 1 })}
        className="inline-flex items-center gap-1 rounded-sm hover:text-ink"
      >
        {label}
        {isSorted ? <Arrow aria-hidden="true" className="size-3.5" /> : null}
      </Link>
    </TableHeader>
  );
}
