'use client';

import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { Send } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { webhooksPath, workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card, FactList } from '#components/ui/card.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { ConfirmDialog } from '#components/ui/dialog.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import { Link } from '#components/ui/link.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { type DeliveryDetail, resendWebhook } from '#lib/features/webhooks/contract.ts';
import { webhookQueries } from '#lib/features/webhooks/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { DeliveryAnswer } from './delivery-answer.tsx';
import { DeliveryState, KIND_LABELS } from './delivery-state.tsx';
import { VerifySnippets } from './verify-snippets.tsx';

export function DeliveryView({ deliveryId }: { deliveryId: string }) {
  const { id: workspaceId, role } = useWorkspace();
  const { data: delivery } = useSuspenseQuery(webhookQueries.delivery(workspaceId, deliveryId));
  return (
    <>
      <PageHeader
        trail={[
          { label: 'Settings', href: workspacePath(workspaceId, 'settings') },
          { label: 'Webhooks', href: webhooksPath(workspaceId) },
        ]}
        title={delivery.kind === 'test' ? 'Test event' : 'Delivery'}
        badge={
          <Badge tone={delivery.kind === 'call' ? 'neutral' : 'accent'}>{KIND_LABELS[delivery.kind]}</Badge>
        }
        description={
          <span className="flex items-center gap-0.5 font-mono text-xs text-ink-subtle">
            {delivery.id}
            <CopyButton text={delivery.id} label="Copy delivery id" />
          </span>
        }
        actions={delivery.callId !== null && role !== 'viewer' ? <SendAgain delivery={delivery} /> : null}
      />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_minmax(20rem,26rem)]">
        <div className="flex min-w-0 flex-col gap-6">
          <SentCard delivery={delivery} />
          {delivery.verify ? (
            <VerifySnippets verify={delivery.verify} secretIsCurrent={delivery.secretIsCurrent} />
          ) : null}
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <Card title="Attempt">
            <Facts delivery={delivery} />
          </Card>
          <Card title="Answer">
            {delivery.finishedAt ? (
              <DeliveryAnswer delivery={delivery} />
            ) : (
              <p className="text-sm text-ink-muted">Not finished yet.</p>
            )}
          </Card>
        </div>
      </div>
    </>
  );
}

function Facts({ delivery }: { delivery: DeliveryDetail }) {
  const { id: workspaceId } = useWorkspace();
  return (
    <FactList
      items={[
        { term: 'State', value: <DeliveryState status={delivery.status} /> },
        { term: 'URL', value: <span className="break-all">{delivery.url}</span> },
        { term: 'Queued', value: <Moment iso={delivery.createdAt} style="full" /> },
        {
          term: 'Sent',
          value: delivery.sendingAt ? <Moment iso={delivery.sendingAt} style="full" /> : 'not yet',
        },
        {
          term: 'Finished',
          value: delivery.finishedAt ? <Moment iso={delivery.finishedAt} style="full" /> : 'not yet',
        },
        ...(delivery.requestedBy ? [{ term: 'Asked for by', value: delivery.requestedBy }] : []),
        ...(delivery.callId
          ? [
              {
                term: 'Conversation',
                value: (
                  <Link
                    href={workspacePath(workspaceId, `conversations/${encodeURIComponent(delivery.callId)}`)}
                    className="font-mono text-xs break-all text-accent-text underline"
                  >
                    {delivery.callId}
                  </Link>
                ),
              },
            ]
          : []),
      ]}
    />
  );
}

function SentCard({ delivery }: { delivery: DeliveryDetail }) {
  const headers = Object.entries(delivery.requestHeaders)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
  return (
    <Card
      title="What was sent"
      description={
        delivery.bodySizeBytes === null
          ? 'The exact bytes are kept for 30 days.'
          : `${delivery.bodySizeBytes.toLocaleString('en-US')} bytes, kept for 30 days.`
      }
    >
      <div className="flex flex-col gap-4">
        {headers === '' ? null : (
          <div>
            <h3 className="mb-1.5 text-sm font-medium text-ink">Headers</h3>
            <CodeBlock code={headers} label="request headers" isWrapped />
          </div>
        )}
        <div>
          <h3 className="mb-1.5 text-sm font-medium text-ink">Body</h3>
          {delivery.body === null ? (
            <Notice>
              {delivery.finishedAt ? 'The body is no longer kept.' : 'The body is written when it is sent.'}
            </Notice>
          ) : (
            <CodeBlock code={delivery.body} label="request body" isWrapped />
          )}
        </div>
        {delivery.signature ? (
          <div>
            <h3 className="mb-1.5 text-sm font-medium text-ink">Signature</h3>
            <CodeBlock code={delivery.signature} label="signature" isWrapped />
          </div>
        ) : null}
      </div>
    </Card>
  );
}

function SendAgain({ delivery }: { delivery: DeliveryDetail }) {
  const { id: workspaceId } = useWorkspace();
  const router = useRouter();
  const toast = useToast();
  const queryClient = useQueryClient();
  const resend = useMutation({
    mutationFn: () => callOperation(resendWebhook, { params: { deliveryId: delivery.id } }, { workspaceId }),
    onSuccess: ({ data }) => {
      toast({ title: 'The webhook is on its way again' });
      void queryClient.invalidateQueries({ queryKey: [...webhookQueries.root(workspaceId), 'deliveries'] });
      router.push(webhooksPath(workspaceId, data.id));
    },
    onError: (error) => toast({ title: describeFailure(error), tone: 'danger' }),
  });
  return (
    <ConfirmDialog
      tone="primary"
      title="Send this webhook again?"
      description="It goes to the address the agent has now, signed anew, and is marked as sent again by you. The receiver may get the same conversation twice."
      confirmLabel="Send again"
      onConfirm={() => resend.mutate()}
      trigger={
        <Button isBusy={resend.isPending}>
          {resend.isPending ? null : <Send aria-hidden="true" />}
          Send again
        </Button>
      }
    />
  );
}
