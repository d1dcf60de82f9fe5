import { readFilter } from '#components/conversations/filter.ts';
import { workspacePath } from '#components/layout/navigation.ts';

/** The filters of an address in one order, so that two of the same are one text; '' for the whole list. */
export function viewQuery(params: URLSearchParams): string {
  const given = Object.fromEntries(params);
  const filter = { ...readFilter(given), ...(given.status === 'any' ? { status: 'any' } : {}) };
  return new URLSearchParams(
    Object.entries(filter)
      .flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as [string, string]]))
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  ).toString();
}

export function viewPath(workspaceId: string, query: string): string {
  return workspacePath(workspaceId, `conversations?${query}`);
}
