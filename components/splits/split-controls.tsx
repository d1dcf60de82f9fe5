'use client';

import { useMutation } from '@tanstack/react-query';
import { OperationDialog } from '#components/forms/operation-dialog.tsx';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { ConfirmDialog } from '#components/ui/dialog.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { useRefreshAgent } from '#components/versions/use-draft.ts';
import { versionName } from '#components/versions/wording.ts';
import { changeSplit, endSplit, type Split } from '#lib/features/publishing/splits/contract.ts';
import { callOperation } from '#lib/http/client.ts';
import { PercentField } from './start-split.tsx';
import { splitTitle } from './wording.ts';

/** What can be done with a share that runs. */
export function SplitControls({ split }: { split: Split }) {
  const { id: workspaceId } = useWorkspace();
  const toast = useToast();
  const refresh = useRefreshAgent();
  const name = versionName(split.version);
  const params = { splitId: split.id };
  const end = useMutation({
    mutationFn: (how: 'publish' | 'stop') =>
      callOperation(endSplit, { params, body: { how } }, { workspaceId }).then(() => how),
    onSuccess: (how) =>
      toast({
        title: how === 'publish' ? `${name} is published to all` : `${name} gets no more conversations`,
      }),
    onError: (error) => toast({ title: describeFailure(error), tone: 'danger' }),
    onSettled: () => void refresh(),
  });
  return (
    <span className="flex flex-wrap gap-2">
      <OperationDialog
        title={`Share of ${name.toLowerCase()}`}
        description="For conversations that begin from now on. Those that run keep their version, and so do further attempts to reach somebody."
        trigger={<Button size="sm">Change the share</Button>}
        saveLabel="Save"
        schema={changeSplit.body}
        values={{ percent: split.percent }}
        save={(body) => callOperation(changeSplit, { params, body }, { workspaceId })}
        onSaved={({ data }) => {
          void refresh();
          toast({ title: splitTitle(data) });
        }}
      >
        {(form) => <PercentField form={form} />}
      </OperationDialog>
      <ConfirmDialog
        tone="primary"
        title={`Publish ${name.toLowerCase()} to all?`}
        description="From the next call on it is what the agent is, as a new version, in place of what is published now. Outbound prompts that it does not have are deleted, and waiting calls with them are not placed. You can go back."
        confirmLabel="Publish to all"
        onConfirm={() => end.mutate('publish')}
        trigger={
          <Button size="sm" isBusy={end.isPending && end.variables === 'publish'}>
            Publish to all
          </Button>
        }
      />
      <ConfirmDialog
        tone="primary"
        title={`Stop giving ${name.toLowerCase()} conversations?`}
        description="All new conversations are held with what is published. Those that run with it end with it. Its results stay, and it can get a share again."
        confirmLabel="Stop"
        onConfirm={() => end.mutate('stop')}
        trigger={
          <Button size="sm" variant="ghost" isBusy={end.isPending && end.variables === 'stop'}>
            Stop
          </Button>
        }
      />
    </span>
  );
}
