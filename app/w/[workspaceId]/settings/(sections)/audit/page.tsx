import type { Metadata } from 'next';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { NotAllowed } from '#components/layout/not-allowed.tsx';
import { AuditLog } from '#components/settings/audit-log.tsx';
import { loadAuditEvents } from '#lib/features/audit/loaders.ts';
import { auditQueries } from '#lib/features/audit/queries.ts';

export const metadata: Metadata = { title: 'Audit log' };

export default async function AuditPage({ params }: { params: Promise<{ workspaceId: string }> }) {
  const { workspaceId } = await params;
  const firstPage = await loadAuditEvents(workspaceId);
  if (!firstPage) return <NotAllowed what="The audit log" needs="admin" />;
  return (
    <Hydrated
      fill={(client) => {
        client.setQueryData(auditQueries.list(workspaceId).queryKey, {
          pages: [firstPage],
          pageParams: [''],
        });
      }}
    >
      <AuditLog />
    </Hydrated>
  );
}
