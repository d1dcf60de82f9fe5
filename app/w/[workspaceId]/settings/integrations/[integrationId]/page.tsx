import type { Metadata } from 'next';
import { IntegrationPage } from '#components/integrations/integration-page.tsx';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { Page } from '#components/ui/page-header.tsx';
import { loadIntegration } from '#lib/features/integrations/loaders.ts';
import { integrationQueries } from '#lib/features/integrations/queries.ts';

export const metadata: Metadata = { title: 'Integration' };

export default async function OneIntegrationPage({
  params,
}: {
  params: Promise<{ workspaceId: string; integrationId: string }>;
}) {
  const { workspaceId, integrationId } = await params;
  const integration = await loadIntegration(workspaceId, integrationId);
  const { queryKey } = integrationQueries.detail(workspaceId, integrationId);
  return (
    <Hydrated fill={(client) => client.setQueryData(queryKey, integration)}>
      <Page>
        <IntegrationPage integrationId={integrationId} />
      </Page>
    </Hydrated>
  );
}
