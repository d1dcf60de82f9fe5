import type { Metadata } from 'next';
import { IntegrationsView } from '#components/integrations/integrations-view.tsx';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { loadIntegrations } from '#lib/features/integrations/loaders.ts';
import { integrationQueries } from '#lib/features/integrations/queries.ts';

export const metadata: Metadata = { title: 'Integrations' };

export default async function IntegrationsPage({ params }: { params: Promise<{ workspaceId: string }> }) {
  const { workspaceId } = await params;
  const integrations = await loadIntegrations(workspaceId);
  return (
    <Hydrated
      fill={(client) => client.setQueryData(integrationQueries.list(workspaceId).queryKey, integrations)}
    >
      <IntegrationsView />
    </Hydrated>
  );
}
