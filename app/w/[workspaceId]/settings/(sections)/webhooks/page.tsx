import type { Metadata } from 'next';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { WebhookPage } from '#components/webhooks/webhook-page.tsx';
import { loadDeliveries, loadWebhookHealth, loadWebhookSettings } from '#lib/features/webhooks/loaders.ts';
import { webhookQueries } from '#lib/features/webhooks/queries.ts';

export const metadata: Metadata = { title: 'Webhooks' };

export default async function WebhooksPage({ params }: { params: Promise<{ workspaceId: string }> }) {
  const { workspaceId } = await params;
  const [settings, health, firstPage] = await Promise.all([
    loadWebhookSettings(workspaceId),
    loadWebhookHealth(workspaceId),
    loadDeliveries(workspaceId),
  ]);
  return (
    <Hydrated
      fill={(client) => {
        client.setQueryData(webhookQueries.settings(workspaceId).queryKey, settings);
        client.setQueryData(webhookQueries.health(workspaceId).queryKey, health);
        client.setQueryData(webhookQueries.deliveries(workspaceId).queryKey, {
          pages: [firstPage],
          pageParams: [''],
        });
      }}
    >
      <WebhookPage />
    </Hydrated>
  );
}
