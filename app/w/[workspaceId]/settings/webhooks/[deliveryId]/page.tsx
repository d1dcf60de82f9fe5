import type { Metadata } from 'next';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { Page } from '#components/ui/page-header.tsx';
import { DeliveryView } from '#components/webhooks/delivery-view.tsx';
import { loadDelivery } from '#lib/features/webhooks/loaders.ts';
import { webhookQueries } from '#lib/features/webhooks/queries.ts';

export const metadata: Metadata = { title: 'Webhook delivery' };

export default async function WebhookDeliveryPage({
  params,
}: {
  params: Promise<{ workspaceId: string; deliveryId: string }>;
}) {
  const { workspaceId, deliveryId } = await params;
  const delivery = await loadDelivery(workspaceId, deliveryId);
  return (
    <Hydrated
      fill={(client) => {
        client.setQueryData(webhookQueries.delivery(workspaceId, deliveryId).queryKey, delivery);
      }}
    >
      <Page>
        <DeliveryView deliveryId={deliveryId} />
      </Page>
    </Hydrated>
  );
}
