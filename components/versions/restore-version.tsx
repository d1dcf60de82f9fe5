'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { shareStays } from '#components/splits/wording.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { ConfirmDialog } from '#components/ui/dialog.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { restoreAgentVersion, type VersionSummary } from '#lib/features/publishing/history/contract.ts';
import { splitQueries } from '#lib/features/publishing/splits/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { useRefreshAgent } from './use-draft.ts';
import { versionName } from './wording.ts';

export function RestoreVersion({
  agentId,
  version,
}: {
  agentId: string;
  version: Pick<VersionSummary, 'id' | 'number'>;
}) {
  const { id: workspaceId } = useWorkspace();
  const toast = useToast();
  const refresh = useRefreshAgent();
  const split = useQuery(splitQueries.list(workspaceId, agentId)).data?.find(
    ({ endedAt }) => endedAt === null,
  );
  const name = versionName(version);
  const restore = useMutation({
    mutationFn: () =>
      callOperation(restoreAgentVersion, { params: { agentId, versionId: version.id } }, { workspaceId }),
    onSuccess: ({ data }) => {
      void refresh();
      toast({ title: `${name} was restored`, description: `It is ${versionName(data).toLowerCase()} now.` });
    },
    onError: (error) => toast({ title: describeFailure(error), tone: 'danger' }),
  });
  return (
    <ConfirmDialog
      tone="primary"
      title={`Restore ${name.toLowerCase()}?`}
      description={`The agent and its outbound prompts become what they were then, from the next call on. Outbound prompts made since are deleted, and waiting calls with them are not placed. Whether the agent is active stays as it is. This is a new version, so you can go back.${shareStays(split)}`}
      confirmLabel="Restore"
      onConfirm={() => restore.mutate()}
      trigger={
        <Button size="sm" isBusy={restore.isPending}>
          <History aria-hidden="true" />
          Restore<span className="sr-only"> {name.toLowerCase()}</span>
        </Button>
      }
    />
  );
}
