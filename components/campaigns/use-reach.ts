'use client';

import { useQuery } from '@tanstack/react-query';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { reachWords } from '#components/settings/limit-words.ts';
import { workspaceQueries } from '#lib/features/workspaces/queries.ts';

/** How far the month's minutes reach for so many people; undefined without a limit, or until it is known. */
export function useReach(people: number): ReturnType<typeof reachWords> {
  const { id: workspaceId } = useWorkspace();
  const { data: usage } = useQuery({ ...workspaceQueries.usage(workspaceId), staleTime: 0 });
  return usage && reachWords(usage, people);
}
