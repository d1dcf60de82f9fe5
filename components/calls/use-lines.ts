'use client';

import { useQuery } from '@tanstack/react-query';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { numberQueries } from '#lib/features/numbers/queries.ts';
import { workspaceQueries } from '#lib/features/workspaces/queries.ts';

/** How many calls at once the workspace takes, and one of its numbers; undefined while that is not known. */
export function useLines(number: string | null): { ofWorkspace?: number; ofNumber?: number } {
  const { id } = useWorkspace();
  const { data: workspace } = useQuery(workspaceQueries.settings(id));
  const { data: numbers } = useQuery({ ...numberQueries.list(id), enabled: number !== null });
  const found = numbers?.find((each) => each.number === number);
  return {
    ...(workspace ? { ofWorkspace: workspace.maxConcurrentCalls } : {}),
    ...(found ? { ofNumber: found.maxConcurrentCalls } : {}),
  };
}

/** What happens to calls beyond the limit of a number, and which other limit holds as well. */
export function beyondNumberLimit(ofWorkspace: number | undefined): string {
  const further = 'Further calls out wait in the queue; further callers hear the line busy.';
  return ofWorkspace === undefined
    ? further
    : `${further} The workspace takes ${ofWorkspace} at once, of all its numbers together (Settings, Workspace).`;
}

/** How many people a campaign talks to at once, and which settings say so; undefined while that is not known. */
export function callsAtOnce({ ofWorkspace, ofNumber }: ReturnType<typeof useLines>): string | undefined {
  if (ofWorkspace === undefined || ofNumber === undefined) return undefined;
  return `Up to ${Math.min(ofWorkspace, ofNumber)} calls at once: the number takes ${ofNumber} (Settings, Numbers), the workspace ${ofWorkspace} (Settings, Workspace).`;
}
