'use client';

import { useSuspenseQuery } from '@tanstack/react-query';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Page, PageHeader } from '#components/ui/page-header.tsx';
import { versionName } from '#components/versions/wording.ts';
import { splitQueries } from '#lib/features/publishing/splits/queries.ts';
import { SplitCard } from './split-card.tsx';

/** One share by itself. */
export function SplitView({ splitId }: { splitId: string }) {
  const { id: workspaceId } = useWorkspace();
  const { data: split } = useSuspenseQuery(splitQueries.results(workspaceId, splitId));
  const agentPath = workspacePath(workspaceId, `agents/${encodeURIComponent(split.agentId)}`);
  return (
    <Page>
      <PageHeader
        trail={[
          { label: 'Agents', href: workspacePath(workspaceId, 'agents') },
          ...(split.isAgentDeleted
            ? []
            : [
                { label: split.agentName, href: agentPath },
                { label: 'Versions', href: `${agentPath}/versions` },
              ]),
        ]}
        title={`${versionName(split.version)} of ${split.agentName} beside what was published`}
        badge={split.endedAt === null ? <Badge tone="success">Running</Badge> : <Badge>Over</Badge>}
      />
      <SplitCard split={split} />
    </Page>
  );
}
