'use client';

import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Eye, EyeOff, RefreshCw } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useMayManage } from '#components/layout/use-may-manage.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { InlineCode } from '#components/ui/code-block.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { ConfirmDialog } from '#components/ui/dialog.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { getWebhookSecret, regenerateWebhookSecret } from '#lib/features/webhooks/contract.ts';
import { webhookQueries } from '#lib/features/webhooks/queries.ts';
import { callOperation } from '#lib/http/client.ts';

/** The secret once it was asked for, and what can be done with it. */
function useSecret(workspaceId: string) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const [secret, setSecret] = useState<string | null>(null);
  const onError = (error: unknown) => toast({ title: describeFailure(error), tone: 'danger' });
  const reveal = useMutation({
    mutationFn: () => callOperation(getWebhookSecret, {}, { workspaceId }),
    onSuccess: ({ data }) => setSecret(data.secret),
    onError,
    gcTime: 0,
  });
  const regenerate = useMutation({
    mutationFn: () => callOperation(regenerateWebhookSecret, {}, { workspaceId }),
    onSuccess: ({ data }) => {
      setSecret(data.secret);
      queryClient.setQueryData(webhookQueries.settings(workspaceId).queryKey, (known) =>
        known ? { ...known, secretChangedAt: data.changedAt } : known,
      );
      toast({
        title: 'The secret was replaced',
        description: 'The next webhook is signed with the new one.',
      });
    },
    onError,
    gcTime: 0,
  });
  return { secret, reveal, hide: () => setSecret(null), regenerate };
}

/** The signing secret, fetched only when somebody asks to see it and kept nowhere after. */
export function SecretCard() {
  const { id: workspaceId } = useWorkspace();
  const { data: settings } = useSuspenseQuery(webhookQueries.settings(workspaceId));
  const { secret, reveal, hide, regenerate } = useSecret(workspaceId);
  const mayManage = useMayManage();
  return (
    <Card
      title="Signing secret"
      description={
        <>
          Every webhook carries <InlineCode>X-Webhook-Signature</InlineCode>, made with this secret.
        </>
      }
      footer={
        <>
          <span>
            Last changed <Moment iso={settings.secretChangedAt} />
          </span>
          {mayManage ? (
            <RegenerateButton isBusy={regenerate.isPending} onConfirm={() => regenerate.mutate()} />
          ) : null}
        </>
      }
    >
      <div className="flex items-center gap-2">
        <code
          aria-label="Signing secret"
          className="min-w-0 flex-1 truncate rounded-md border border-line bg-sunken px-2.5 py-1.5 font-mono text-sm text-ink"
        >
          {secret ?? 'whsec_••••••••••••••••••••••••'}
        </code>
        {secret === null ? (
          <Button onClick={() => reveal.mutate()} isBusy={reveal.isPending} disabled={!mayManage}>
            {reveal.isPending ? null : <Eye aria-hidden="true" />}
            Show
          </Button>
        ) : (
          <>
            <CopyButton text={secret} label="Copy secret" size="md" variant="secondary" />
            <Button onClick={hide}>
              <EyeOff aria-hidden="true" />
              Hide
            </Button>
          </>
        )}
      </div>
      {mayManage ? null : <p className="mt-2 text-sm text-ink-subtle">Only admins and owners can see it.</p>}
    </Card>
  );
}

function RegenerateButton({ isBusy, onConfirm }: { isBusy: boolean; onConfirm: () => void }) {
  return (
    <ConfirmDialog
      title="Replace the secret now?"
      description="The old secret stops working at once: receivers that still use it will reject the next webhook."
      confirmLabel="Replace secret"
      onConfirm={onConfirm}
      trigger={
        <Button isBusy={isBusy}>
          {isBusy ? null : <RefreshCw aria-hidden="true" />}
          Regenerate
        </Button>
      }
    />
  );
}
