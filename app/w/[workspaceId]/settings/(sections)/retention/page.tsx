import type { Metadata } from 'next';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { RetentionForm } from '#components/settings/retention-form.tsx';
import { loadWorkspace } from '#lib/features/workspaces/loaders.ts';
import { workspaceQueries } from '#lib/features/workspaces/queries.ts';

export const metadata: Metadata = { title: 'Retention' };

export default async function RetentionPage({ params }: { params: Promise<{ workspaceId: string }> }) {
  const { workspaceId } = await params;
  const workspace = await loadWorkspace(workspaceId);
  return (
    <Hydrated
      fill={(client) => {
        client.setQueryData(workspaceQueries.settings(workspaceId).queryKey, workspace);
      }}
    >
      <RetentionForm />
    </Hydrated>
  );
}
