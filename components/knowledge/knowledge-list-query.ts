import type { KnowledgeListQuery } from '#lib/features/knowledge/queries.ts';

const SORTS = ['name', 'updatedAt', 'createdAt'] as const;

/** Reads the page's address; whatever is not understood falls back to the newest first. */
export function readKnowledgeListQuery(
  search: Record<string, string | string[] | undefined>,
): KnowledgeListQuery {
  const page = Number(search.page);
  return {
    page: Number.isInteger(page) && page >= 1 && page <= 1_000_000 ? page : 1,
    sortBy: SORTS.find((sort) => sort === search.sortBy) ?? 'createdAt',
    sortOrder: search.sortOrder === 'asc' ? 'asc' : 'desc',
  };
}
