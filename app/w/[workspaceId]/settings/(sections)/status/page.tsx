import type { Metadata } from 'next';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { NotAllowed } from '#components/layout/not-allowed.tsx';
import { ServiceStatusView } from '#components/settings/service-status.tsx';
import { loadServiceStatus } from '#lib/features/status/loaders.ts';
import { statusQueries } from '#lib/features/status/queries.ts';

export const metadata: Metadata = { title: 'Status' };

export default async function StatusPage({ params }: { params: Promise<{ workspaceId: string }> }) {
  const { workspaceId } = await params;
  const status = await loadServiceStatus(workspaceId);
  if (!status) return <NotAllowed what="The status of the service" needs="admin" />;
  return (
    <Hydrated
      fill={(client) => {
        client.setQueryData(statusQueries.overview(workspaceId).queryKey, status);
      }}
    >
      <ServiceStatusView />
    </Hydrated>
  );
}
