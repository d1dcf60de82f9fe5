'use client';

import { DeliveryLog } from './delivery-log.tsx';
import { SecretCard } from './secret-card.tsx';
import { SendingAgents } from './sending-agents.tsx';
import { TestEventCard } from './test-event-card.tsx';
import { UrlCard } from './url-card.tsx';

export function WebhookPage() {
  return (
    <>
      <p className="max-w-2xl text-sm text-ink-muted">
        After each call an agent handles, one signed request goes to your system. It is sent once.
      </p>
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-6">
          <UrlCard />
          <SecretCard />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <TestEventCard />
          <SendingAgents />
        </div>
      </div>
      <DeliveryLog />
    </>
  );
}
