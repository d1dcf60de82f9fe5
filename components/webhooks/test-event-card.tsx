'use client';

import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Send } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { webhooksPath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import { Field } from '#components/ui/field.tsx';
import { Link } from '#components/ui/link.tsx';
import { Select } from '#components/ui/select.tsx';
import type { Role } from '#lib/auth/actor.ts';
import {
  type DeliveryDetail,
  sendTestWebhook,
  type WebhookSettings,
} from '#lib/features/webhooks/contract.ts';
import { webhookQueries } from '#lib/features/webhooks/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { DeliveryAnswer } from './delivery-answer.tsx';
import { DeliveryState } from './delivery-state.tsx';

/** Sends the test event and shows here what the receiver answered. */
export function TestEventCard() {
  const { id: workspaceId, role } = useWorkspace();
  const { data: settings } = useSuspenseQuery(webhookQueries.settings(workspaceId));
  const queryClient = useQueryClient();
  const [agentId, setAgentId] = useState('');
  const test = useMutation({
    mutationFn: () =>
      callOperation(sendTestWebhook, { body: agentId === '' ? {} : { agentId } }, { workspaceId }),
    onSettled: () =>
      queryClient.invalidateQueries({ queryKey: [...webhookQueries.root(workspaceId), 'deliveries'] }),
  });
  const target =
    agentId === '' ? settings.url : settings.agents.find((agent) => agent.id === agentId)?.effectiveUrl;
  const delivery = test.data?.data.delivery;
  const hint = hintFor(role, target);
  return (
    <Card
      title="Test event"
      description="Same shape as a real one, with event “test” and a conversation id that starts with test_."
    >
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-end gap-2">
          <Field label="Send to" className="min-w-0 flex-1">
            <Select options={targetsOf(settings)} value={agentId} onValueChange={setAgentId} />
          </Field>
          <Button
            variant="primary"
            disabled={hint !== null}
            isBusy={test.isPending}
            onClick={() => test.mutate()}
          >
            {test.isPending ? null : <Send aria-hidden="true" />}
            Send test event
          </Button>
        </div>
        {hint ? <p className="text-sm text-ink-subtle">{hint}</p> : null}
        <div aria-live="polite" className="empty:hidden">
          {test.isPending ? (
            <p className="text-sm text-ink-muted">Waiting for the receiver, up to 10 seconds…</p>
          ) : null}
          {test.error ? <Notice tone="danger">{describeFailure(test.error)}</Notice> : null}
          {delivery && !test.isPending ? <TestAnswer delivery={delivery} /> : null}
        </div>
      </div>
    </Card>
  );
}

function targetsOf({ url, agents }: WebhookSettings) {
  return [
    { value: '', label: 'Workspace URL', detail: url ?? 'not set' },
    ...agents.map((agent) => ({
      value: agent.id,
      label: agent.name,
      detail: agent.effectiveUrl ?? 'no URL',
    })),
  ];
}

/** Why the event cannot be sent; null: it can. */
function hintFor(role: Role, target: string | null | undefined): string | null {
  if (role === 'viewer') return 'Members, admins and owners can send it.';
  return target ? null : 'Set a URL first.';
}

function TestAnswer({ delivery }: { delivery: DeliveryDetail }) {
  const { id: workspaceId } = useWorkspace();
  return (
    <div className="flex flex-col gap-3" data-testid="test-result">
      <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
        <DeliveryState status={delivery.status} />
        <Link href={webhooksPath(workspaceId, delivery.id)} className="rounded-sm text-accent-text underline">
          What was sent
        </Link>
      </div>
      <DeliveryAnswer delivery={delivery} />
    </div>
  );
}
